import { isAbsolute, relative, sep } from "node:path";

/** Whether `path` is `folder` or lies in it; both absolute, and no links are followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
