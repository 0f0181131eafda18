import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The repository's root folder. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** All files below a folder of the repository, as paths from its root in a stable order. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) found.push(...await filesBelow(path));
    else found.push(path);
  }
  return found.sort();
}

/** TypeScript files below a folder of the repository; throws when there are none, so that no check runs on nothing. */
export async function sourcesBelow(folder: string): Promise<string[]> {
  const files = (await filesBelow(folder)).filter((path) => path.endsWith(".ts"));
  if (files.length === 0) throw new Error(`Cannot check ${folder}: it holds no TypeScript`);
  return files;
}

/** The text of a file of the repository. */
export function readSource(path: string): Promise<string> {
  return Deno.readTextFile(join(ROOT, path));
}

/**
 * What git keeps or is about to keep: tracked files and new ones that are not ignored. Where the sources came without
 * git, all files.
 */
export async function trackedFiles(): Promise<string[]> {
  if (!await stat(join(ROOT, ".git")).then(() => true, () => false)) {
    return (await filesBelow(".")).map((path) => path.slice(2));
  }
  const args = ["-c", `safe.directory=${ROOT.replace(/\/$/, "")}`, "ls-files", "-z", "--cached", "--others"];
  const { stdout } = await promisify(execFile)("git", [...args, "--exclude-standard"], { cwd: ROOT });
  return stdout.split("\0").filter(Boolean);
}
