import { readdir } from "node:fs/promises";
import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { ERRNO, WasiError } from "../errno.ts";
import type { FileFacts, FileTimes, FolderEntry } from "../engine_messages.ts";
import type { Folder } from "./folder.ts";
import { type Handle, kindOf } from "./open_handle.ts";
import type { Rights } from "./rights.ts";

/** Facts from what the system says. */
export function factsOf(stats: BigIntStats): FileFacts {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    links: Number(stats.nlink),
    device: String(stats.dev),
    inode: String(stats.ino),
    accessed: String(stats.atimeNs),
    modified: String(stats.mtimeNs),
    changed: String(stats.ctimeNs),
  };
}

/** Facts about what is open. */
export async function handleFacts(handle: Handle): Promise<FileFacts> {
  return factsOf(
    handle.kind === "file"
      ? await handle.file.stat({ bigint: true })
      : await lstat(handle.folder.entry("."), { bigint: true }),
  );
}

/** The open file behind a handle. */
export function fileOf(handle: Handle): Extract<Handle, { kind: "file" }> {
  if (handle.kind !== "file") throw new WasiError(ERRNO.isDirectory);
  return handle;
}

/** Reads at most `length` bytes. */
export async function readAt(
  handle: Handle,
  { offset, length }: { offset: number; length: number },
): Promise<Uint8Array> {
  const buffer = new Uint8Array(length);
  const { bytesRead } = await fileOf(handle).file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

/** Writes bytes at an offset, or at the end; no file may grow beyond `limit`. */
export async function writeAt(
  handle: Handle,
  bytes: Uint8Array,
  { offset, limit }: { offset: number | undefined; limit: number },
): Promise<{ bytes: number; position: number }> {
  const { file, append } = fileOf(handle);
  const at = offset ?? (await file.stat()).size;
  if (at + bytes.length > limit) throw new WasiError(ERRNO.fileTooBig);
  // A file opened for appending takes no position: the system puts each write at its end.
  const { bytesWritten } = await file.write(bytes, 0, bytes.length, append ? null : at);
  return { bytes: bytesWritten, position: at + bytesWritten };
}

/** Sets the size of a file; with `grow` never a smaller one. */
export async function resize(
  handle: Handle,
  { size, grow, limit }: { size: number; grow: boolean; limit: number },
): Promise<void> {
  const { file } = fileOf(handle);
  if (!(size >= 0 && size <= limit)) throw new WasiError(ERRNO.fileTooBig);
  if (!grow || (await file.stat()).size < size) await file.truncate(size);
}

/** Sets the times of an open file. */
export async function setTimes(handle: Handle, times: FileTimes): Promise<void> {
  const { file } = fileOf(handle);
  const now = await file.stat();
  const seconds = (time: string | undefined, kept: Date) =>
    time === undefined ? kept.getTime() / 1000 : time === "now" ? Date.now() / 1000 : Number(time) / 1e9;
  await file.utimes(seconds(times.accessed, now.atime), seconds(times.modified, now.mtime));
}

/** What is in a folder and may be seen. */
export async function listFolder(folder: Folder, rights: Rights): Promise<readonly FolderEntry[]> {
  const found = await readdir(folder.entry("."), { withFileTypes: true });
  const seen = found.filter(({ name }) => rights.of(join(folder.path, name)) !== "none");
  return await Promise.all(seen.map(async (entry) => ({
    name: entry.name,
    kind: kindOf(entry),
    inode: await inodeOf(folder.entry(entry.name)),
  })));
}

async function inodeOf(path: string): Promise<string> {
  try {
    return String((await lstat(path, { bigint: true })).ino);
  } catch {
    return "0"; // gone in the meantime
  }
}
