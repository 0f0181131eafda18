import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * The absolute path of a program: a bare name is looked for on `path` (a PATH), anything else is taken from the current
 * folder. Undefined when there is no such executable file.
 */
export async function findProgram(name: string, path: string): Promise<string | undefined> {
  if (name === "" || name.includes("\0")) return undefined;
  const bare = !name.includes("/") && !(Deno.build.os === "windows" && name.includes("\\"));
  // An empty or relative entry of PATH would let a file of the current folder stand in for a program.
  const folders = bare ? path.split(delimiter).filter(isAbsolute) : [""];
  for (const folder of folders) {
    for (const ending of ENDINGS) {
      const candidate = bare ? join(folder, name + ending) : resolve(name + ending);
      if (await isExecutable(candidate)) return candidate;
    }
  }
  return undefined;
}

/** What may be left out of a program's name. */
const ENDINGS = Deno.build.os === "windows" ? ["", ".exe", ".cmd", ".bat", ".com"] : [""];

/** Whether `path` is a file that may be started. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    const { isFile, mode } = await Deno.stat(path);
    return isFile && (mode === null || (mode & 0o111) !== 0);
  } catch {
    return false;
  }
}
