import { link, lstat, mkdir, readlink, rename, rm, rmdir, symlink, unlink } from "node:fs/promises";
import { resolve } from "node:path";
import { ERRNO, WasiError } from "../errno.ts";
import type { FilePlace, FileReply, FileWork } from "../engine_messages.ts";
import { errnoOf } from "./errno_of.ts";
import { type Folder, openFolder } from "./folder.ts";
import {
  factsOf,
  fileOf,
  handleFacts,
  listFolder,
  readAt,
  resize,
  setTimes,
  writeAt,
} from "./handle_work.ts";
import { locate, type Location, pathParts } from "./locate.ts";
import { closeHandle, type Handle, openHandle } from "./open_handle.ts";
import type { Preopen } from "./preopens.ts";
import { Refusals } from "./refusals.ts";
import { Rights } from "./rights.ts";

/** What a run may touch. */
export interface FileGround {
  /** Folders that are open from the start. */
  readonly preopens: readonly Preopen[];
  /** What may be done with paths. */
  readonly rights: Rights;
}

/** What {@linkcode HostFiles} works with. */
export interface HostFilesOptions {
  /** What the run may touch, found out when it first looks. */
  load(): Promise<FileGround>;
  /** Largest file that may be written. */
  readonly fileBytes: number;
}

/** An answer to file work: the reply, and bytes that were read. */
export interface FileAnswer {
  /** What the engine is told. */
  readonly reply: Omit<FileReply, "type" | "errno">;
  /** What was read. */
  readonly bytes?: Uint8Array;
}

/** Does the file work of one run, within its rights. */
export class HostFiles implements AsyncDisposable {
  /** What was refused. */
  readonly refusals: Refusals = new Refusals();
  readonly #options: HostFilesOptions;
  readonly #preopened = new Map<number, Folder>();
  readonly #handles = new Map<number, Handle>();
  #ground: FileGround = { preopens: [], rights: new Rights({ read: [], write: [] }) };
  #loadError: unknown;
  #next = 0;
  #work: Promise<unknown> = Promise.resolve();
  #scratch: string | undefined;
  #closed = false;

  /** Looks at nothing before it is used. */
  constructor(options: HostFilesOptions) {
    this.#options = options;
  }

  /** Throws what kept the grants of the tool from being read, if anything did. */
  check(): void {
    if (this.#loadError !== undefined) throw this.#loadError;
  }

  /** Does one piece of work; whatever goes wrong is an error number. */
  async serve(work: FileWork, payload: Uint8Array): Promise<{ reply: FileReply; bytes?: Uint8Array }> {
    const done = this.#closed ? Promise.reject(new WasiError(ERRNO.badDescriptor)) : this.#do(work, payload);
    this.#work = done.catch(() => {});
    try {
      const { reply, bytes } = await done;
      return { reply: { type: "reply", errno: ERRNO.success, ...reply }, ...(bytes ? { bytes } : {}) };
    } catch (error) {
      return { reply: { type: "reply", errno: errnoOf(error) } };
    }
  }

  /** Closes what is open and removes the scratch folder. Harmless when repeated. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#work;
    await Promise.allSettled([...this.#handles.values()].map(closeHandle));
    await Promise.allSettled([...this.#preopened.values()].map((folder) => folder.close()));
    this.#handles.clear();
    this.#preopened.clear();
    const scratch = this.#scratch;
    this.#scratch = undefined;
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }

  async #do(work: FileWork, payload: Uint8Array): Promise<FileAnswer> {
    const { fileBytes: limit } = this.#options;
    switch (work.op) {
      case "preopens":
        return { reply: { preopens: await this.#load() } };
      case "open":
        return await this.#open(work.place, work.how);
      case "close":
        await this.#release(work.handle);
        return { reply: {} };
      case "sync":
        await fileOf(this.#handle(work.handle)).file.sync();
        return { reply: {} };
      case "facts": {
        const handle = await this.#any(work.handle);
        if (handle.kind === "directory") this.#check(handle.folder.path, "read");
        return { reply: { facts: await handleFacts(handle) } };
      }
      case "read":
        return { reply: {}, bytes: await readAt(this.#handle(work.handle), work) };
      case "write": {
        const { handle, offset } = work;
        return { reply: { written: await writeAt(this.#handle(handle), payload, { offset, limit }) } };
      }
      case "resize":
        await resize(this.#handle(work.handle), { ...work, limit });
        return { reply: {} };
      case "times":
        await setTimes(this.#handle(work.handle), work.times);
        return { reply: {} };
      case "list": {
        const folder = await this.#folder(work.handle);
        this.#check(folder.path, "read");
        return { reply: { entries: await listFolder(folder, this.#ground.rights) } };
      }
      default:
        return { reply: await this.#atPlace(work) };
    }
  }

  async #load(): Promise<readonly string[]> {
    try {
      this.#ground = await this.#options.load();
    } catch (error) {
      this.#loadError = error;
      throw error;
    }
    const { preopens } = this.#ground;
    this.#next = preopens.length;
    this.refusals.workingDirectory = preopens[0]?.scratch ? "/tmp" : preopens[0]?.path ?? "/tmp";
    return preopens.map(({ name }) => name);
  }

  async #atPlace(work: Extract<FileWork, { place: FilePlace }>): Promise<FileAnswer["reply"]> {
    const follow = "follow" in work && work.follow;
    await using at = await this.#locate(work.place, follow);
    switch (work.op) {
      case "factsAt":
        this.#check(at.path, "read");
        return { facts: factsOf(await lstat(at.entry, { bigint: true })) };
      case "readLink":
        this.#check(at.path, "read");
        return { target: await readlink(at.entry) };
      case "timesAt": {
        this.#check(at.path, "write");
        const handle = await openHandle(at, READING);
        await setTimes(handle, work.times).finally(() => closeHandle(handle));
        return {};
      }
      case "makeFolder":
        this.#check(at.path, "write");
        await mkdir(at.entry);
        return {};
      case "removeFolder":
        this.#check(at.path, "write");
        if (!(await lstat(at.entry)).isDirectory()) throw new WasiError(ERRNO.notDirectory);
        await rmdir(at.entry);
        return {};
      case "removeFile":
        this.#check(at.path, "write");
        if ((await lstat(at.entry)).isDirectory()) throw new WasiError(ERRNO.isDirectory);
        await unlink(at.entry);
        return {};
      case "softLink": {
        this.#check(at.path, "write");
        // A link that leads out would lead whoever else follows it; one that only leads down stays inside wherever it, or
        // a folder that holds it, is moved to.
        if (pathParts(work.target).includes("..")) throw new WasiError(ERRNO.notCapable);
        this.#check(resolve(at.folder.path, work.target), "read");
        await symlink(work.target, at.entry);
        return {};
      }
      case "rename":
      case "hardLink": {
        await using to = await this.#locate(work.to, false);
        this.#check(at.path, "write");
        this.#check(to.path, "write");
        if (this.#ground.rights.holdsHidden(at.path)) throw new WasiError(ERRNO.notCapable);
        await (work.op === "rename" ? rename : link)(at.entry, to.entry);
        return {};
      }
      case "open":
        throw new WasiError(ERRNO.invalid);
    }
  }

  async #open(place: FilePlace, how: Extract<FileWork, { op: "open" }>["how"]): Promise<FileAnswer> {
    await using at = await this.#locate(place, how.follow && !(how.create && how.exclusive));
    this.#check(at.path, how.write || how.create || how.truncate ? "write" : "read");
    const handle = await openHandle(at, how).catch((error) => {
      if (errnoOf(error) === ERRNO.notFound) this.refusals.lost(place.at, place.path);
      throw error;
    });
    const number = this.#next++;
    this.#handles.set(number, handle);
    return { reply: { opened: { handle: number, kind: handle.kind } } };
  }

  async #locate({ at, path }: FilePlace, follow: boolean): Promise<Location> {
    const folder = await this.#folder(at);
    try {
      return await locate(folder, path, { follow });
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === ERRNO.notFound || errno === ERRNO.notCapable) this.refusals.lost(at, path);
      // Where nothing is granted, the module does not even learn what is there.
      if (this.#ground.rights.of(resolve(folder.path, path)) === "none") {
        throw new WasiError(ERRNO.notCapable);
      }
      throw error;
    }
  }

  #check(path: string, wanted: "read" | "write"): void {
    const right = this.#ground.rights.of(path);
    if (right === "write" || right === wanted) return;
    this.refusals.refused(path, wanted);
    throw new WasiError(right === "read" ? ERRNO.readOnly : ERRNO.notCapable);
  }

  #handle(number: number): Handle {
    const handle = this.#handles.get(number);
    if (handle === undefined) throw new WasiError(ERRNO.badDescriptor);
    return handle;
  }

  async #any(number: number): Promise<Handle> {
    return this.#handles.get(number) ?? { kind: "directory", folder: await this.#folder(number) };
  }

  async #folder(number: number): Promise<Folder> {
    const handle = this.#handles.get(number);
    if (handle?.kind === "directory") return handle.folder;
    const preopen = this.#ground.preopens[number];
    if (handle !== undefined || preopen === undefined) throw new WasiError(ERRNO.notDirectory);
    const known = this.#preopened.get(number);
    if (known !== undefined) return known;
    if (preopen.scratch && this.#scratch === undefined) {
      await mkdir(preopen.path, { mode: 0o700 });
      this.#scratch = preopen.path;
    }
    const folder = await openFolder(preopen.path);
    this.#preopened.set(number, folder);
    return folder;
  }

  async #release(number: number): Promise<void> {
    const handle = this.#handle(number);
    this.#handles.delete(number);
    await closeHandle(handle);
  }
}

const READING = {
  follow: false,
  create: false,
  directory: false,
  exclusive: false,
  truncate: false,
  read: true,
  write: false,
  append: false,
};
