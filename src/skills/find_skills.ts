import { join } from "node:path";
import { isInside } from "../base/is_inside.ts";

/** A folder that was passed over. */
export interface SkippedSkill {
  /** Path relative to where was looked. */
  readonly path: string;
  /** Goes on after "it". */
  readonly reason: string;
}

/** A folder with a SKILL.md. */
export interface FoundFolder {
  /** Path relative to where was looked; empty for that folder itself. */
  readonly path: string;
  /** Its real path. */
  readonly directory: string;
}

/** Options of {@linkcode findSkills}. */
export interface FindSkillsOptions {
  /**
   * How many folders deep is looked.
   * @default 6
   */
  depth?: number;
  /** Names of folders that are not looked into at the top, besides `.git` and `node_modules` anywhere. */
  exclude?: ReadonlySet<string>;
  /** What links may not leave; the folder itself when absent. */
  bound?: string;
  /**
   * Whether links at the top that lead elsewhere are followed; only for folders that the user keeps.
   * @default false
   */
  follow?: boolean;
}

/** Folders that never hold skills. */
const NEVER: ReadonlySet<string> = new Set([".git", "node_modules"]);
/** A folder with more than that is no collection of skills. */
const MAX_FOLDERS = 20_000;

/** Finds every folder with a SKILL.md, in the order of their paths; links that leave the place are told, not followed. */
export async function findSkills(
  root: string,
  options: FindSkillsOptions = {},
): Promise<{ folders: FoundFolder[]; skipped: SkippedSkill[] }> {
  const { depth = 6, exclude = new Set(), follow = false } = options;
  const start = await Deno.realPath(root);
  const bound = options.bound === undefined ? start : await Deno.realPath(options.bound);
  const folders: FoundFolder[] = [];
  const skipped: SkippedSkill[] = [];
  if (!isInside(start, bound)) return { folders, skipped: [{ path: "", reason: LEAVES }] };
  const queue = [{ path: "", directory: start, level: 0 }];
  for (let at = 0; at < queue.length; at++) {
    const here = queue[at];
    if (here === undefined) break;
    if (queue.length > MAX_FOLDERS) {
      skipped.push({
        path: here.path,
        reason: `holds more than ${MAX_FOLDERS} folders, the rest is left out`,
      });
      break;
    }
    for (const entry of await entriesOf(here.directory)) {
      const path = here.path === "" ? entry.name : `${here.path}/${entry.name}`;
      const place = join(here.directory, entry.name);
      const target = entry.isSymlink ? await resolveLink(place) : undefined;
      const isFolder = target ? target.isDirectory : entry.isDirectory;
      if (entry.name === "SKILL.md" && !isFolder) {
        const fault = entry.isSymlink && linkFault(target, bound);
        if (fault) skipped.push({ path, reason: fault });
        else folders.push({ path: here.path, directory: here.directory });
      } else if (isFolder && here.level < depth && !NEVER.has(entry.name)) {
        if (here.level === 0 && exclude.has(entry.name)) continue;
        if (!target) queue.push({ path, directory: place, level: here.level + 1 });
        // What a link inside leads to is found where it lies.
        else if (isInside(target.path, bound)) continue;
        else if (follow && here.level === 0) queue.push({ path, directory: target.path, level: depth });
        else skipped.push({ path, reason: LEAVES });
      }
    }
  }
  const byPath = (a: { path: string }, b: { path: string }) => a.path < b.path ? -1 : 1;
  return { folders: folders.sort(byPath), skipped: skipped.sort(byPath) };
}

const LEAVES = "is a link that leaves its place";

interface Target {
  readonly path: string;
  readonly isDirectory: boolean;
}

function linkFault(target: Target | undefined, bound: string): string | undefined {
  if (!target) return "is a link that leads nowhere";
  return isInside(target.path, bound) ? undefined : LEAVES;
}

async function resolveLink(path: string): Promise<Target | undefined> {
  try {
    const real = await Deno.realPath(path);
    return { path: real, isDirectory: (await Deno.stat(real)).isDirectory };
  } catch {
    return undefined;
  }
}

/** In the order of names; nothing where we may not look. */
async function entriesOf(directory: string): Promise<Deno.DirEntry[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(directory));
    return entries.sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    return [];
  }
}
