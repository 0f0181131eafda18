import { join } from "node:path";
import type { Layout } from "./_layout.ts";
import { isFolder } from "./_scan_folder.ts";

/** A server that is still at work after that long has lost its client long ago. */
const OLD_MS = 24 * 60 * 60 * 1000;

/** Names that the store gives to what it has not finished: staged folders and temporary files, but no journals. */
const HALF_MADE = /^(?:[a-zA-Z0-9_-]+\.[0-9a-f-]{36}|\.[0-9a-f-]{36}\.tmp)$/;

/** Removes half-made folders and files that servers left when they died. */
export async function sweepStaging(layout: Layout, now: number): Promise<void> {
  // Behind a link lie files that are none of ours.
  if (!(await isFolder(layout.staging))) return;
  for await (const { name } of Deno.readDir(layout.staging)) {
    if (!HALF_MADE.test(name)) continue;
    const path = join(layout.staging, name);
    const made = (await Deno.lstat(path).catch(() => undefined))?.mtime?.getTime() ?? now;
    if (now - made >= OLD_MS) await Deno.remove(path, { recursive: true }).catch(() => {});
  }
}
