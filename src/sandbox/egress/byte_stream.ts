import { SkillzError } from "../../base/errors.ts";

/** What may be read from: a connection, or one of which the beginning was read already. */
export interface ByteSource {
  /** Some bytes, at most `max`; none at the end. The array is the reader's only until the next read. */
  read(max: number): Promise<Uint8Array>;
}

/** Most bytes that are moved at once. */
export const CHUNK_BYTES = 64 * 1024;

/** Reads a connection in pieces of the wanted form; what was read too much comes first in the next one. */
export class ByteReader implements ByteSource {
  readonly #conn: Pick<Deno.Conn, "read">;
  #chunk: Uint8Array<ArrayBuffer> | undefined;
  #rest: Uint8Array = new Uint8Array();

  /** Reads nothing yet. */
  constructor(conn: Pick<Deno.Conn, "read">) {
    this.#conn = conn;
  }

  async read(max: number): Promise<Uint8Array> {
    if (this.#rest.length === 0) this.#rest = await this.#fill();
    const part = this.#rest.subarray(0, max);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  /** The next byte, which stays to be read; `undefined` at the end. */
  async peek(): Promise<number | undefined> {
    if (this.#rest.length === 0) this.#rest = await this.#fill();
    return this.#rest[0];
  }

  /** Exactly so many bytes; throws `failed` when the connection ends before. */
  async exactly(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    for (let have = 0; have < count;) {
      const part = await this.read(count - have);
      if (part.length === 0) throw endedEarly();
      bytes.set(part, have);
      have += part.length;
    }
    return bytes;
  }

  /**
   * All up to and with the first `end`, as Latin-1; `undefined` when the connection ends before the first byte.
   * Throws `limit` when it is longer than `max`.
   */
  async until(end: string, max: number): Promise<string | undefined> {
    let text = "";
    while (true) {
      const part = await this.read(CHUNK_BYTES);
      if (part.length === 0) {
        if (text === "") return undefined;
        throw endedEarly();
      }
      const from = Math.max(0, text.length - end.length + 1);
      const before = text.length;
      text += latin1(part.subarray(0, max + end.length));
      const at = text.indexOf(end, from);
      if (at >= 0 && at + end.length <= max) {
        const used = at + end.length - before;
        this.#rest = concat(part.subarray(used), this.#rest);
        return text.slice(0, at + end.length);
      }
      if (text.length > max) {
        throw new SkillzError("limit", `Cannot read the message: its head is longer than ${max} bytes`);
      }
    }
  }

  async #fill(): Promise<Uint8Array> {
    this.#chunk ??= new Uint8Array(CHUNK_BYTES);
    const count = await this.#conn.read(this.#chunk);
    return this.#chunk.subarray(0, count ?? 0);
  }
}

/** Writes all of it. */
export async function writeAll(conn: Pick<Deno.Conn, "write">, data: Uint8Array | string): Promise<void> {
  const bytes = typeof data === "string" ? Uint8Array.from(data, (char) => char.charCodeAt(0)) : data;
  for (let done = 0; done < bytes.length;) done += await conn.write(bytes.subarray(done));
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0) return first;
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function endedEarly(): SkillzError {
  return new SkillzError("failed", "Cannot read the message: the connection ended in the middle of it");
}
