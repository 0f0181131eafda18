import { environmentOfChildren } from "./environment.ts";

const decoder = new TextDecoder();

/** The programs that scripts are run with: the interpreters themselves, not what a version manager puts in front. */
export async function findInterpreter(interpreter: string): Promise<string[]> {
  switch (interpreter) {
    case "python3":
      return [await ask("python3", ["-c", "import sys; print(sys.executable)"])];
    case "node":
      return [await ask("node", ["-p", "process.execPath"])];
    case "deno run":
      return [Deno.execPath(), "run", "--no-config", "--no-lock", "--no-remote", "--no-npm", "--no-prompt"];
    default:
      return [await ask("sh", ["-c", `command -v "$1"`, "sh", interpreter])];
  }
}

/** Whether a program is there at all. */
export async function hasProgram(name: string): Promise<boolean> {
  return await findInterpreter(name).then(([path]) => path !== "", () => false);
}

async function ask(program: string, args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command(program, {
    args,
    env: environmentOfChildren(),
    clearEnv: true,
    stdin: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error(`Cannot find the interpreter: ${program} failed`);
  return decoder.decode(stdout).trim();
}
