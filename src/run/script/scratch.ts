import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** Makes an empty private folder for one call below `parent`. */
export async function makeScratch(parent: string): Promise<string> {
  const path = join(parent, `skillz-${crypto.randomUUID().slice(0, 13)}`);
  await mkdir(path, { mode: 0o700 });
  return path;
}
