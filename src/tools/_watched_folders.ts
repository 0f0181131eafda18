import { join } from "node:path";
import { listFolders } from "./_list_folders.ts";
import { mapLimited } from "./_map_limited.ts";
import { isSkipped } from "./_tree.ts";

/** Folders deeper than that hold data rather than code. */
const MAX_DEPTH = 8;

/**
 * TOOLS_DIR and every folder in it where code may lie. They are watched one by one, because a watch of the whole tree
 * would take one watch for each folder of every environment too.
 */
export async function watchedFolders(root: string): Promise<string[]> {
  const found = [root];
  const visit = async (name: string, inner: string, depth: number): Promise<void> => {
    const path = join(root, name, inner);
    const entries = await Array.fromAsync(Deno.readDir(path)).catch(() => undefined);
    if (entries === undefined) return;
    found.push(path);
    if (depth === MAX_DEPTH) return;
    for (const entry of entries) {
      const deeper = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory && !isSkipped(deeper, [])) await visit(name, deeper, depth + 1);
    }
  };
  const names = await listFolders(root);
  const real = await mapLimited(names, async (name) => {
    const info = await Deno.lstat(join(root, name)).catch(() => undefined);
    return info?.isDirectory ? name : undefined;
  }, { limit: 64 });
  await mapLimited(real.filter((name) => name !== undefined), (name) => visit(name, "", 0), { limit: 64 });
  return found.sort();
}
