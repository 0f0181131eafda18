import { lstat, realpath } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { isSystemPath } from "./system_paths.ts";

/**
 * Whether a program may be started outside of any sandbox to be asked what it needs: only what the system or the user's
 * PATH holds. Whatever else a manifest names may have been written by a tool, or came with a package.
 */
export async function isTrusted(path: string, searchPath: string): Promise<boolean> {
  if (isSystemPath(path)) return true;
  const folder = dirname(path);
  for (const listed of searchPath.split(delimiter)) {
    if (!isAbsolute(listed)) continue;
    if (listed === folder || await realpath(listed).catch(() => undefined) === folder) return true;
  }
  return false;
}

/** What interpreters with libraries in files keep beside their folder of programs; a link there grants nothing. */
const BESIDE = ["lib", "lib64", "pyvenv.cfg"];

/** What an interpreter that is not trusted is taken to need, from where it lies alone. */
export async function besideProgram(paths: readonly string[]): Promise<string[]> {
  const programs = paths.filter((path) => /^(python|pypy|ruby|perl|php)[\d.]*$/.test(basename(path)));
  const candidates = programs.filter((path) => basename(dirname(path)) === "bin")
    .flatMap((path) => BESIDE.map((name) => join(dirname(dirname(path)), name)));
  const real = await Promise.all(candidates.map(async (path) => {
    const info = await lstat(path).catch(() => undefined);
    return info !== undefined && !info.isSymbolicLink() && await realpath(path) === path;
  }));
  return candidates.filter((path, i) => real[i] && path.split("/").filter(Boolean).length > 1);
}
