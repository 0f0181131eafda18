import { ERRNO, WasiError } from "../errno.ts";

/** What a number that the module calls a file descriptor stands for. */
export type Descriptor =
  | { kind: "stdin"; readonly bytes: Uint8Array; position: number }
  | { kind: "stdout" }
  | { kind: "stderr" }
  | { kind: "directory"; readonly handle: number; readonly preopen?: string }
  | {
    kind: "file";
    readonly handle: number;
    position: number;
    append: boolean;
    readonly read: boolean;
    readonly write: boolean;
  };

/** Options of {@linkcode Descriptors}. */
export interface DescriptorsOptions {
  /** Names of the folders that are open from the start, whose handles count from 0. Asked once, at the first need. */
  preopens(): readonly string[];
  /** Most that may be open besides. */
  readonly limit: number;
}

const FIRST_PREOPEN = 3;

/** The descriptors of one run. */
export class Descriptors {
  readonly #open = new Map<number, Descriptor>();
  readonly #options: DescriptorsOptions;
  #least: number | undefined;

  /** Starts with the standard streams. */
  constructor(stdin: Uint8Array, options: DescriptorsOptions) {
    this.#options = options;
    this.#open.set(0, { kind: "stdin", bytes: stdin, position: 0 });
    this.#open.set(1, { kind: "stdout" });
    this.#open.set(2, { kind: "stderr" });
  }

  /** Throws when no more may be opened. */
  checkRoom(): void {
    if (this.#open.size - this.#preopened() >= this.#options.limit) throw new WasiError(ERRNO.tooManyFiles);
  }

  /** Gives it the lowest free number. */
  add(descriptor: Descriptor): number {
    this.#preopened();
    let fd = 0;
    while (this.#open.has(fd)) fd += 1;
    this.#open.set(fd, descriptor);
    return fd;
  }

  /** The descriptor of a number. */
  get(fd: number): Descriptor {
    if (fd >= FIRST_PREOPEN) this.#preopened();
    const descriptor = this.#open.get(fd);
    if (descriptor === undefined) throw new WasiError(ERRNO.badDescriptor);
    return descriptor;
  }

  /** The handle of an open folder. */
  folder(fd: number): number {
    const descriptor = this.get(fd);
    if (descriptor.kind !== "directory") throw new WasiError(ERRNO.notDirectory);
    return descriptor.handle;
  }

  /** An open file. */
  file(fd: number): Extract<Descriptor, { kind: "file" }> {
    const descriptor = this.get(fd);
    if (descriptor.kind === "file") return descriptor;
    throw new WasiError(descriptor.kind === "directory" ? ERRNO.isDirectory : ERRNO.noSeek);
  }

  /** Takes a number away. */
  remove(fd: number): Descriptor {
    const descriptor = this.get(fd);
    this.#open.delete(fd);
    return descriptor;
  }

  /** Puts `from` in the place of `to` and returns what was there. */
  move(from: number, to: number): Descriptor {
    const replaced = this.get(to);
    this.#open.set(to, this.get(from));
    if (from !== to) this.#open.delete(from);
    return replaced;
  }

  /** Opens what is open from the start, if that was not done yet; returns how many there were then. */
  #preopened(): number {
    if (this.#least === undefined) {
      const names = this.#options.preopens();
      names.forEach((preopen, handle) => {
        this.#open.set(FIRST_PREOPEN + handle, { kind: "directory", handle, preopen });
      });
      this.#least = FIRST_PREOPEN + names.length;
    }
    return this.#least;
  }
}
