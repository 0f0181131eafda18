import { join } from "node:path";
import { isInside } from "../base/is_inside.ts";

/** A folder whose files are listed. */
export interface SkillPlace {
  /** Real path of the skill's folder. */
  readonly directory: string;
}

/** Most files of one skill, and most bytes of all of them, as the skills extension has it. */
const MAX_FILES = 512;
const MAX_BYTES = 16 * 1024 * 1024;
/** Folders that are no part of a skill. */
const NEVER: ReadonlySet<string> = new Set([".git", ".versions", "env", "node_modules", "versions"]);

/** Paths of a skill's files besides SKILL.md, in order, at most 511. What leads out of its folder is left out. */
export async function listSkillFiles({ directory }: SkillPlace): Promise<string[]> {
  const found: string[] = [];
  const queue = [""];
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    const entries = await Array.fromAsync(Deno.readDir(join(directory, folder)));
    for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory && !NEVER.has(entry.name)) queue.push(path);
      const isFile = entry.isFile || entry.isSymlink && await isFileInside(directory, path);
      if (isFile && path !== "SKILL.md" && found.length < MAX_FILES - 1) found.push(path);
    }
  }
  return found.sort();
}

/** A skill's files with their contents, SKILL.md first; those that do not fit into 16 MiB are left out. */
export async function readSkillFiles(skill: SkillPlace): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  let total = 0;
  for (const path of ["SKILL.md", ...await listSkillFiles(skill)]) {
    const file = join(skill.directory, path);
    const { size } = await Deno.stat(file);
    if ((total += size) > MAX_BYTES) break;
    files[path] = await Deno.readFile(file);
  }
  return files;
}

async function isFileInside(directory: string, path: string): Promise<boolean> {
  try {
    const real = await Deno.realPath(join(directory, path));
    return isInside(real, directory) && (await Deno.stat(real)).isFile;
  } catch {
    return false;
  }
}
