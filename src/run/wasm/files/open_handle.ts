import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ERRNO, WasiError } from "../errno.ts";
import type { FileKind, OpenHow } from "../engine_messages.ts";
import { BY_DESCRIPTOR, type Folder, linuxFolder, openFolder } from "./folder.ts";
import type { Location } from "./locate.ts";

/** A file or folder that a module has open. */
export type Handle =
  | { readonly kind: "file"; readonly file: FileHandle; readonly append: boolean }
  | { readonly kind: "directory"; readonly folder: Folder };

/** Never follow a link, never wait for the far end of a pipe, never take a terminal. */
const ALWAYS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Opens what is at a location, if it is a file or a folder. */
export async function openHandle(location: Location, how: OpenHow): Promise<Handle> {
  if (Deno.build.os === "windows" && how.directory) {
    return { kind: "directory", folder: await openFolder(location.path) };
  }
  const file = await open(location.entry, flagsOf(how), 0o666);
  try {
    const found = await file.stat();
    if (found.isDirectory()) {
      if (how.write || how.truncate) throw new WasiError(ERRNO.isDirectory);
      return { kind: "directory", folder: linuxOrPath(file, location.path) };
    }
    if (!found.isFile()) throw new WasiError(ERRNO.notSupported);
    // Only now: cutting before would have hit whatever it is.
    if (how.truncate) await file.truncate(0);
    return { kind: "file", file, append: how.append };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Closes a file or folder. */
export async function closeHandle(handle: Handle): Promise<void> {
  await (handle.kind === "file" ? handle.file : handle.folder).close();
}

/** The kind of thing that the system says is there. */
export function kindOf(
  entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean },
): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

function linuxOrPath(file: FileHandle, path: string): Folder {
  const folder = linuxFolder(file, path);
  if (BY_DESCRIPTOR) return folder;
  return { ...folder, entry: (name) => name === "." ? path : `${path}/${name}` };
}

function flagsOf(how: OpenHow): number {
  const changes = how.write || how.truncate;
  const mode = !changes ? constants.O_RDONLY : how.read ? constants.O_RDWR : constants.O_WRONLY;
  return ALWAYS | mode |
    (how.create ? constants.O_CREAT : 0) |
    (how.exclusive ? constants.O_EXCL : 0) |
    (how.directory ? constants.O_DIRECTORY ?? 0 : 0) |
    (how.append ? constants.O_APPEND : 0);
}
