import { fileURLToPath } from "node:url";
import type { CommandSpec } from "../../src/process/process.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/scripts/", import.meta.url));
const PROGRAMS: Readonly<Record<string, string>> = { sh: "bash", pl: "perl", py: "python3" };

/** How to start one of `tests/fixtures/scripts`; its program follows from its ending. */
export function scriptFixture(name: string, ...args: readonly string[]): CommandSpec {
  return {
    command: PROGRAMS[name.split(".").at(-1) ?? ""] ?? name,
    args: [`${FOLDER}${name}`, ...args],
    cwd: FOLDER,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  };
}

/** A line for the shell, started as the scripts are. */
export function bash(line: string): CommandSpec {
  return { ...scriptFixture("x.sh"), args: ["-c", line] };
}

/** Whether a process has ended; a zombie, which only waits for its parent, has. */
export async function isGone(pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1) {
    throw new Error(`Cannot look at process ${pid}: it is no id of a child`);
  }
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return true;
  }
}
