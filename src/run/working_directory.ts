import { stat } from "node:fs/promises";
import { isInside } from "../base/is_inside.ts";
import { realPath } from "../sandbox/paths.ts";
import type { Access } from "../sandbox/permissions.ts";

/** The first workspace root, if the access grants it; undefined when it does not, or there is none. */
export async function workingDirectoryOf(
  roots: readonly string[],
  access: Pick<Access, "read" | "write" | "hidden">,
): Promise<string | undefined> {
  const [first] = roots;
  if (first === undefined) return undefined;
  const root = await realPath(first);
  const granted = [...access.read, ...access.write].some((folder) => isInside(root, folder));
  const hidden = access.hidden?.some((folder) => isInside(root, folder)) ?? false;
  return granted && !hidden && await isFolder(root) ? root : undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then((found) => found.isDirectory(), () => false);
}
