import { lockFile } from "../base/file_lock.ts";
import type { Layout } from "./_layout.ts";
import { pendingNames } from "./_pending.ts";

/** Runs work alone among all servers of a TOOLS_DIR, after finishing what a server that died has begun. */
export async function lockStore<T>(
  layout: Layout,
  work: () => Promise<T>,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<T> {
  const { signal } = options;
  await using _lock = await lockFile(layout.lock, signal ? { signal } : {});
  if ((await pendingNames(layout)).length) {
    const { recover } = await import("./_publish.ts");
    await recover(layout);
  }
  return await work();
}
