import { join } from "node:path";

/**
 * Test files (`*_test.ts`) at or below the given paths, in a stable order. Throws when there are none, since a gate
 * that tests nothing must not pass.
 */
export async function findTests(root: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths.map((path) => path.replace(/\/+$/, ""))) {
    const files = (await Deno.stat(join(root, path))).isDirectory ? await testsBelow(root, path) : [path];
    if (files.length === 0) throw new Error(`Cannot test ${path}: it holds no *_test.ts`);
    found.push(...files);
  }
  return [...new Set(found)].sort();
}

async function testsBelow(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await testsBelow(root, path));
    else if (entry.name.endsWith("_test.ts")) found.push(path);
  }
  return found;
}
