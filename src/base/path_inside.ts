import { isAbsolute, relative, sep } from "node:path";

/** Whether `child` is `parent` or lies below it. Both must be absolute and free of links (see `realpath`). */
export function isInside(parent: string, child: string): boolean {
  const path = relative(parent, child);
  return path === "" || (path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}
