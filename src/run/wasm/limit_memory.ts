import { SkillzError } from "../../base/errors.ts";

/** WebAssembly's unit of memory. */
const PAGE = 65_536;
const MEMORY_SECTION = 5;
const HEADER = 8;
/** Bits of a memory's flags. */
const HAS_MAXIMUM = 1;
const SHARED = 2;
const PLAIN_FLAGS = HAS_MAXIMUM | SHARED;

/** What is wrong with a module before it is even compiled. */
export class BadModule extends SkillzError {
  /** Says why. */
  constructor(why: string, hint = "Build it for wasm32-wasip1") {
    super("invalid_input", `Cannot use the WebAssembly module: ${why}`, { hint });
  }
}

/**
 * The module with a maximum on each of its memories, so that all together hold no more than `maxBytes`. A smaller maximum
 * of its own stays.
 *
 * @throws {BadModule} when it is no module of the core kind, or begins with more memory than that.
 */
export function limitMemory(module: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  checkHeader(module);
  const reader = new Reader(module, HEADER);
  while (!reader.isAtEnd) {
    const start = reader.position;
    const id = reader.byte();
    const end = reader.u32() + reader.position;
    if (end > module.length) throw new BadModule("it is cut off, a section reaches beyond its end");
    if (id === MEMORY_SECTION) {
      const body = limitedSection(reader, maxBytes);
      const section = [MEMORY_SECTION, ...leb(body.length), ...body];
      return joined(module.subarray(0, start), Uint8Array.from(section), module.subarray(end));
    }
    reader.position = end;
  }
  return new Uint8Array(module);
}

function checkHeader(module: Uint8Array): void {
  const [a, b, c, d, version, , layer] = module;
  if (module.length < HEADER || a !== 0 || b !== 0x61 || c !== 0x73 || d !== 0x6d) {
    throw new BadModule("it does not begin with the mark of WebAssembly");
  }
  if (layer === 1) throw new BadModule("it is a component (WASI preview 2), it must be a core module");
  if (version !== 1) throw new BadModule(`its version is ${version}, it must be 1`);
}

function limitedSection(reader: Reader, maxBytes: number): number[] {
  const count = reader.u32();
  const maxPages = Math.floor(maxBytes / PAGE / Math.max(1, count));
  const body = leb(count);
  for (let i = 0; i < count; i++) {
    const flags = reader.byte();
    if ((flags & ~PLAIN_FLAGS) !== 0) throw new BadModule("its memory is not of the 32-bit kind");
    const least = reader.u32();
    const most = flags & HAS_MAXIMUM ? Math.min(reader.u32(), maxPages) : maxPages;
    if (least > maxPages) {
      throw new BadModule(
        `it begins with ${mebibytes(least)} MiB of memory, limits.memory_mb allows ${mebibytes(maxPages)}`,
        "Give the tool a greater limits.memory_mb",
      );
    }
    body.push(flags | HAS_MAXIMUM, ...leb(least), ...leb(most));
  }
  return body;
}

function mebibytes(pages: number): number {
  return Math.ceil(pages * PAGE / 1024 / 1024);
}

/** An unsigned number in LEB128. */
function leb(value: number): number[] {
  const bytes: number[] = [];
  do {
    const low = value % 128;
    value = Math.floor(value / 128);
    bytes.push(value > 0 ? low + 128 : low);
  } while (value > 0);
  return bytes;
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let done = 0;
  for (const part of parts) {
    bytes.set(part, done);
    done += part.length;
  }
  return bytes;
}

class Reader {
  readonly #bytes: Uint8Array;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  get isAtEnd(): boolean {
    return this.position >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.position++];
    if (byte === undefined) throw new BadModule("it is cut off");
    return byte;
  }

  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new BadModule("it holds a number that is too long");
  }
}
