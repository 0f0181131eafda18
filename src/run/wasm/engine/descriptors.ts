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

/** The descriptors of one run. */
export class Descriptors {
  readonly #open = new Map<number, Descriptor>();
  readonly #limit: number;

  /** Starts with standard streams and preopened folders, whose handles count from 0; at most `limit` may be open. */
  constructor(stdin: Uint8Array, options: { preopens: readonly string[]; limit: number }) {
    this.#limit = options.limit + options.preopens.length + 3;
    this.#open.set(0, { kind: "stdin", bytes: stdin, position: 0 });
    this.#open.set(1, { kind: "stdout" });
    this.#open.set(2, { kind: "stderr" });
    options.preopens.forEach((preopen, handle) => this.add({ kind: "directory", handle, preopen }));
  }

  /** Whether another one may be opened. Throws otherwise. */
  checkRoom(): void {
    if (this.#open.size >= this.#limit) throw new WasiError(ERRNO.tooManyFiles);
  }

  /** Gives it the lowest free number. */
  add(descriptor: Descriptor): number {
    let fd = 0;
    while (this.#open.has(fd)) fd += 1;
    this.#open.set(fd, descriptor);
    return fd;
  }

  /** The descriptor of a number. */
  get(fd: number): Descriptor {
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
}
