import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { join } from "node:path";
import { HAS_REAL_DESCRIPTORS } from "../../../base/real_descriptors.ts";
import { ERRNO, WasiError } from "../errno.ts";

/**
 * A folder that is open. On Linux everything in it is reached through its descriptor, so that what it stands for can't
 * be swapped between a check and the use; elsewhere by its path, looked at again for each step.
 */
export interface Folder {
  /** Its real path, for the rights. */
  readonly path: string;
  /** The path of an entry (`.` for itself) to do work on; never followed when it is a link. */
  entry(name: string): string;
  /** Closes it. Harmless when repeated. */
  close(): Promise<void>;
}

/** Opens a folder by its descriptor only, which takes no right to list it. */
const O_PATH = 0o10_000_000;
/** Whether entries can be reached through descriptors. */
export const BY_DESCRIPTOR: boolean = Deno.build.os === "linux" && HAS_REAL_DESCRIPTORS;
const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Opens a granted folder by its real path. Throws `notCapable` when the path leads elsewhere by now. */
export async function openFolder(path: string): Promise<Folder> {
  if (!BY_DESCRIPTOR) return await checkedFolder(path);
  const folder = linuxFolder(await open(path, FLAGS | O_PATH), path);
  try {
    if (await readlink(folder.entry(".").slice(0, -2)) !== path) throw new WasiError(ERRNO.notCapable);
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Opens a folder in a folder; throws `ELOOP` or `ENOTDIR` when it is a link or no folder. */
export async function openSubfolder(parent: Folder, name: string): Promise<Folder> {
  const path = join(parent.path, name);
  if (!BY_DESCRIPTOR) return await checkedFolder(path);
  return linuxFolder(await open(parent.entry(name), FLAGS | O_PATH), path);
}

/** The folder of a descriptor that was opened otherwise. */
export function linuxFolder(file: FileHandle, path: string): Folder {
  let isOpen = true;
  return {
    path,
    entry: (name) => `/proc/self/fd/${file.fd}/${name}`,
    async close() {
      if (isOpen) await file.close();
      isOpen = false;
    },
  };
}

async function checkedFolder(path: string): Promise<Folder> {
  if (!(await lstat(path)).isDirectory()) throw new WasiError(ERRNO.notDirectory);
  return { path, entry: (name) => join(path, name), close: () => Promise.resolve() };
}
