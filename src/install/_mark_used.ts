import { stat, utimes } from "node:fs/promises";

/** Marks are this old before they are renewed. */
const RENEW_MS = 3_600_000;

/**
 * Notes that an environment is used, by its folder's time: other servers of the same TOOLS_DIR, which may resolve
 * interpreters otherwise, don't take it for one that nobody needs. False when it is not there.
 */
export async function markUsed(directory: string): Promise<boolean> {
  const info = await stat(directory).catch(() => undefined);
  if (info === undefined) return false;
  const now = new Date();
  // In a TOOLS_DIR that can't be written nothing is collected either.
  if (now.getTime() - info.mtimeMs > RENEW_MS) await utimes(directory, now, now).catch(() => {});
  return true;
}
