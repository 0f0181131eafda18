import { isAbsolute, relative, sep } from "node:path";

/** Whether `child` is `parent` or lies below it. Both must be absolute and free of links (see {@linkcode isReallyInside}). */
export function isInside(parent: string, child: string): boolean {
  const path = relative(parent, child);
  return path === "" || (path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}

/** {@linkcode isInside} with all links followed; false when one of the two is not there. */
export async function isReallyInside(parent: string, child: string): Promise<boolean> {
  try {
    return isInside(...await Promise.all([Deno.realPath(parent), Deno.realPath(child)]));
  } catch {
    return false;
  }
}
