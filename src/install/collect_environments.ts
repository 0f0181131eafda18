import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { removeFolder } from "./remove_folder.ts";

/** Options of {@linkcode collectEnvironments}. */
export interface CollectOptions {
  /**
   * How old an environment must be, so that one that is being made ready for a tool is left alone.
   * @default 86400000
   */
  readonly olderThanMs?: number;
  /** Stops between two environments. */
  readonly signal?: AbortSignal;
}

/**
 * Removes environments that no tool and no kept version uses, and what was left of installations that were cut off.
 * `used` are the folders in use. Returns the names of those removed.
 */
export async function collectEnvironments(
  toolsDir: string,
  used: Iterable<string>,
  options: CollectOptions = {},
): Promise<string[]> {
  const { olderThanMs = 86_400_000, signal } = options;
  const folder = join(toolsDir, ".envs");
  const kept = new Set(used);
  const removed: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    signal?.throwIfAborted();
    const path = join(folder, entry.name);
    if (!entry.isDirectory() || entry.name === ".locks" || kept.has(path)) continue;
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || Date.now() - found.mtimeMs < olderThanMs) continue;
    await removeFolder(path);
    removed.push(entry.name);
  }
  return removed;
}
