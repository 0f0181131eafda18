import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Makes an empty private folder for one call below `parent`. */
export async function makeScratch(parent: string): Promise<string> {
  const path = join(parent, `skillz-${crypto.randomUUID().slice(0, 13)}`);
  await mkdir(path, { mode: 0o700 });
  return path;
}

/** Removes a scratch folder with all it holds; one that can't be removed now is tried a few times. */
export async function removeScratch(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    // A tool may have taken its own rights away from a folder.
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
    await openUp(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openUp(folder: string): Promise<void> {
  await Deno.chmod(folder, 0o700);
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) await openUp(join(folder, entry.name));
  }
}
