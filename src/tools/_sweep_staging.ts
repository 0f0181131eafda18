import { join } from "node:path";
import type { Layout } from "./_layout.ts";
import { JOURNAL } from "./_layout.ts";

/** A server that is still at work after that long has lost its client long ago. */
const OLD_MS = 24 * 60 * 60 * 1000;

/** Removes half-made folders that servers left when they died. */
export async function sweepStaging(layout: Layout, now: number): Promise<void> {
  const names = await Array.fromAsync(Deno.readDir(layout.staging)).catch(() => []);
  for (const { name } of names) {
    const path = join(layout.staging, name);
    const made = (await Deno.lstat(path).catch(() => undefined))?.mtime?.getTime() ?? now;
    if (name.endsWith(JOURNAL) || now - made < OLD_MS) continue;
    await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}
