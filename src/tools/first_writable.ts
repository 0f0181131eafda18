import { isReadOnly } from "./on_disk.ts";

/**
 * Does work in the first of several folders that can be written: TOOLS_DIR itself, or a cache where TOOLS_DIR is read-only,
 * as in a container.
 *
 * @throws what the first folder had against it when none can be written; everything else as it was thrown.
 */
export async function inFirstWritable<T>(
  [first, ...others]: readonly [string, ...string[]],
  work: (folder: string) => Promise<T>,
): Promise<T> {
  try {
    return await work(first);
  } catch (why) {
    if (!isReadOnly(why)) throw why;
    for (const folder of others) {
      try {
        return await work(folder);
      } catch (error) {
        if (!isReadOnly(error)) throw error;
      }
    }
    throw why;
  }
}
