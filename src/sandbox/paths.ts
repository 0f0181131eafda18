import { basename, dirname, join, resolve } from "node:path";
import { isInside } from "../base/is_inside.ts";

/** The path with all links followed; what does not exist yet is appended to its nearest real ancestor. */
export async function realPath(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await Deno.realPath(absolute);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const parent = dirname(absolute);
    // A link that leads nowhere could be pointed elsewhere later, so it may not pass as a path still to be made.
    if (code !== "ENOENT" || parent === absolute || await isLink(absolute)) throw error;
    return join(await realPath(parent), basename(absolute));
  }
}

/**
 * Each path once, sorted, without those that another one of the list or of `others` holds anyway – that is, with no
 * path of `hidden` in between.
 */
export function outermost(
  paths: Iterable<string>,
  { hidden = [], others = [] }: { hidden?: readonly string[]; others?: readonly string[] } = {},
): string[] {
  const kept: string[] = [];
  const holds = (folder: string, path: string) =>
    isInside(path, folder) && !hidden.some((mask) => isInside(path, mask) && isInside(mask, folder));
  for (const path of [...new Set(paths)].sort((a, b) => a.length - b.length)) {
    if (!kept.some((folder) => holds(folder, path)) && !others.some((folder) => holds(folder, path))) {
      kept.push(path);
    }
  }
  return kept.sort();
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await Deno.lstat(path)).isSymlink;
  } catch {
    return false;
  }
}
