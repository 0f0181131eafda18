import { dirname, join } from "node:path";

/** Options of {@linkcode atomicWrite}. */
export interface AtomicWriteOptions {
  /**
   * Permission bits of the file.
   * @default 0o644
   */
  mode?: number;
  /**
   * Waits until the data is on the disk before the name changes, so that a power cut leaves the old or the new file.
   * @default true
   */
  sync?: boolean;
}

/**
 * Writes a file so that readers see the old or the new content and never a half: a temporary file beside it, then a
 * rename. Nothing is left behind when it fails. The folder must be there.
 */
export async function atomicWrite(
  path: string,
  data: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const { mode = 0o644, sync = true } = options;
  // A leading dot and no known ending: watchers and loaders pass it by.
  const temporary = join(dirname(path), `.${crypto.randomUUID()}.tmp`);
  try {
    await writeAll(temporary, typeof data === "string" ? new TextEncoder().encode(data) : data, {
      mode,
      sync,
    });
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

async function writeAll(
  path: string,
  bytes: Uint8Array,
  { mode, sync }: Required<AtomicWriteOptions>,
): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode });
  for (let done = 0; done < bytes.length;) {
    done += await file.write(bytes.subarray(done));
  }
  if (sync) await file.syncData();
}
