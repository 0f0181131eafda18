import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { SkillzError } from "../../base/errors.ts";
import { lockFile } from "../../base/file_lock.ts";
import { removeFolder } from "../../install/remove_folder.ts";
import { CARGO_LOCK, rustCache, TARGET_FOLDER } from "./rust_place.ts";

/** Options of {@linkcode boundTarget}. */
export interface BoundTargetOptions {
  /**
   * What may be kept, in bytes.
   * @default 4294967296
   */
  readonly maxBytes?: number;
  /** Ends the look at it. */
  readonly signal?: AbortSignal;
}

const ASIDE = /^\.[0-9a-f-]{36}\.tmp$/;

/**
 * Removes what cargo has compiled for all tools when it has grown too large, and never while cargo works: crates are
 * compiled again when a build needs them. Returns the names of the folders that are gone.
 */
export async function boundTarget(toolsDir: string, options: BoundTargetOptions = {}): Promise<string[]> {
  const { maxBytes = 4 * 1024 ** 3, signal } = options;
  const cache = rustCache(toolsDir);
  const removed: string[] = [];
  if (await sizeOf(join(cache, TARGET_FOLDER), signal) > maxBytes) {
    try {
      await using _lock = await lockFile(join(cache, CARGO_LOCK), { timeoutMs: 0 });
      // Out of the way at once, so that a build waits only for that.
      await rename(join(cache, TARGET_FOLDER), join(cache, `.${crypto.randomUUID()}.tmp`));
      await mkdir(join(cache, TARGET_FOLDER));
    } catch (error) {
      if (!(error instanceof SkillzError && error.code === "timeout")) throw error;
    }
  }
  for (const name of (await readdir(cache).catch(() => [])).filter((name) => ASIDE.test(name))) {
    await removeFolder(join(cache, name));
    removed.push(name);
  }
  return removed;
}

async function sizeOf(folder: string, signal: AbortSignal | undefined): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    signal?.throwIfAborted();
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path, signal);
    else if (entry.isFile()) bytes += await stat(path).then(({ size }) => size, () => 0);
  }
  return bytes;
}
