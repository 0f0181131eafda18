import { SkillzError } from "./errors.ts";
import { wait } from "./wait.ts";

/** Options of {@linkcode lockFile}. */
export interface LockFileOptions {
  /**
   * Most milliseconds to wait for another holder.
   * @default 30000
   */
  timeoutMs?: number;
  /** Ends the wait early. */
  signal?: AbortSignal;
}

/** Pauses between tries, in milliseconds: short at first, because holders keep a lock for milliseconds. */
const FIRST_PAUSE = 2;
const LONGEST_PAUSE = 50;

/**
 * Takes an exclusive lock on a file, made if it is not there, and holds it until disposed (harmless when repeated).
 * It excludes other processes and other holders in this one; the system frees it when its process dies, however it
 * dies, so a lock is never stale. The file itself stays.
 *
 * @throws `SkillzError("timeout")` when it stays taken, the signal's reason when that aborts.
 */
export async function lockFile(path: string, options: LockFileOptions = {}): Promise<AsyncDisposable> {
  const { timeoutMs = 30_000, signal } = options;
  signal?.throwIfAborted();
  const file = await Deno.open(path, { create: true, write: true });
  try {
    const end = performance.now() + timeoutMs;
    for (let pause = FIRST_PAUSE; !(await tryLock(file)); pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      if (performance.now() >= end) {
        throw new SkillzError(
          "timeout",
          `Cannot lock "${path}": another process has held it for ${timeoutMs} ms, it must let go`,
          { hint: "Look for a server that hangs on the same TOOLS_DIR" },
        );
      }
      await wait(pause, { ...(signal ? { signal } : {}) });
    }
  } catch (error) {
    file.close();
    throw error;
  }
  let held = true;
  return {
    [Symbol.asyncDispose]: () => {
      // Closing frees the lock: it belongs to the open file.
      if (held) file.close();
      held = false;
      return Promise.resolve();
    },
  };
}

/** A Deno before 2.9, as a binary may have been compiled with, has no `tryLock`: there the wait can't be cut short. */
async function tryLock(file: Deno.FsFile): Promise<boolean> {
  if ("tryLock" in file) return await file.tryLock(true);
  await (file as Deno.FsFile).lock(true);
  return true;
}
