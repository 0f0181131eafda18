import { rm } from "node:fs/promises";

/** Removes a folder with all it holds, also one in which a program took its own rights away. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EACCES")) throw error;
    await openUp(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function openUp(folder: string): Promise<void> {
  await Deno.chmod(folder, 0o700);
  for await (const entry of Deno.readDir(folder)) {
    if (entry.isDirectory) await openUp(`${folder}/${entry.name}`);
  }
}
