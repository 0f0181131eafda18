import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { ERRNO, WasiError } from "../errno.ts";
import { codeOf } from "./errno_of.ts";
import { type Folder, openSubfolder } from "./folder.ts";

/** Where a path leads: an entry of an open folder. Disposing it closes what was opened on the way. */
export interface Location extends AsyncDisposable {
  /** The open folder that holds it. */
  readonly folder: Folder;
  /** Name of the entry, `.` for the folder itself. */
  readonly name: string;
  /** Real path of the entry. */
  readonly path: string;
  /** What to do work on. */
  readonly entry: string;
}

/** Most links on the way of one path. */
const MAX_LINKS = 32;
/** What opening a link or a file as a folder ends with. */
const NO_FOLDER = ["ELOOP", "ENOTDIR"];

/**
 * Walks a path below `start`, folder by folder, and never leaves it: `..` beyond it, absolute paths and links that lead
 * out are `notCapable`. With `follow` a link at the end is followed too.
 */
export async function locate(
  start: Folder,
  path: string,
  { follow }: { follow: boolean },
): Promise<Location> {
  if (path.includes("\0")) throw new WasiError(ERRNO.illegalText);
  if (path === "") throw new WasiError(ERRNO.notFound);
  const way = new Way(start);
  try {
    const name = await way.walk(path, follow);
    const { folder } = way;
    return {
      folder,
      name,
      path: name === "." ? folder.path : join(folder.path, name),
      entry: folder.entry(name),
      [Symbol.asyncDispose]: () => way.close(),
    };
  } catch (error) {
    await way.close();
    throw error;
  }
}

class Way {
  readonly #start: Folder;
  readonly #below: Folder[] = [];
  #links = 0;

  constructor(start: Folder) {
    this.#start = start;
  }

  get folder(): Folder {
    return this.#below.at(-1) ?? this.#start;
  }

  async walk(path: string, follow: boolean): Promise<string> {
    // A slash at the end asks for what is behind a link.
    const through = follow || path.endsWith("/");
    let parts = pathParts(path);
    while (parts.length > 0) {
      const [part = ".", ...rest] = parts;
      parts = rest;
      const isLast = rest.length === 0;
      if (part === "..") await this.#up();
      else if (isLast && !through) return part;
      else if (isLast || !await this.#down(part)) {
        const target = await this.#linkTarget(part);
        if (target !== undefined) parts = [...pathParts(target), ...rest];
        else if (isLast) return part;
        else throw new WasiError(ERRNO.notDirectory);
      }
    }
    return ".";
  }

  async close(): Promise<void> {
    await Promise.all(this.#below.splice(0).map((folder) => folder.close()));
  }

  async #up(): Promise<void> {
    const left = this.#below.pop();
    if (left === undefined) throw new WasiError(ERRNO.notCapable);
    await left.close();
  }

  /** Goes into a folder; false when the entry is none, perhaps a link to one. */
  async #down(name: string): Promise<boolean> {
    try {
      this.#below.push(await openSubfolder(this.folder, name));
      return true;
    } catch (error) {
      if (error instanceof WasiError || NO_FOLDER.includes(codeOf(error) ?? "")) return false;
      throw error;
    }
  }

  /** Where the entry leads, if it is a link. */
  async #linkTarget(name: string): Promise<string | undefined> {
    try {
      if (!(await lstat(this.folder.entry(name))).isSymbolicLink()) return undefined;
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined; // whoever asked makes it, or finds out
      throw error;
    }
    if (++this.#links > MAX_LINKS) throw new WasiError(ERRNO.loop);
    return await readlink(this.folder.entry(name));
  }
}

/** The names in a path, `..` among them. Throws `notCapable` for an absolute one. */
export function pathParts(path: string): string[] {
  if (path.startsWith("/")) throw new WasiError(ERRNO.notCapable);
  // There, these would mean folders and drives.
  if (Deno.build.os === "windows" && /[\\:]/.test(path)) throw new WasiError(ERRNO.notCapable);
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
