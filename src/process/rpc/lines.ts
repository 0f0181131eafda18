import { SkillzError } from "../../base/errors.ts";

/** Options of {@linkcode readLines}. */
export interface ReadLinesOptions {
  /**
   * Most bytes of one line.
   * @default 10485760
   */
  maxLineBytes?: number;
  /**
   * Most bytes in all.
   * @default Infinity
   */
  maxTotalBytes?: number;
  /** Ends the reading, quietly, as if the stream had ended. */
  signal?: AbortSignal;
}

const NEWLINE = 10;
const RETURN = 13;

/**
 * Lines of a byte stream. They end at `\n` only (a `\r` before it is left out); the last one needs none. Bytes that are
 * no UTF-8 become U+FFFD. Time is linear in the bytes, however they are cut into chunks. The stream is cancelled when
 * the loop ends early.
 *
 * @throws {SkillzError} `limit` when a line or the whole is too long.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  options: ReadLinesOptions = {},
): AsyncGenerator<string, void, undefined> {
  const { maxLineBytes = 10 * 1024 * 1024, maxTotalBytes = Infinity, signal } = options;
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  const line = new LineBuffer(maxLineBytes);
  let total = 0;
  try {
    for (;;) {
      const { value: chunk, done } = await reader.read();
      if (done) break;
      total += chunk.length;
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
        yield line.end(chunk.subarray(from, to));
        from = to + 1;
      }
      line.add(chunk.subarray(from));
      if (total > maxTotalBytes) throw tooLong("the output", maxTotalBytes);
    }
    if (!line.empty && !signal?.aborted) yield line.end(new Uint8Array());
  } finally {
    signal?.removeEventListener("abort", cancel);
    await reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** Pieces of a line that has not ended yet; put together once, at its end. */
class LineBuffer {
  readonly #max: number;
  readonly #decoder = new TextDecoder();
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get empty(): boolean {
    return this.#size === 0;
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#size += piece.length;
    if (this.#size > this.#max) throw tooLong("a line of the output", this.#max);
    this.#pieces.push(piece);
  }

  end(piece: Uint8Array): string {
    this.add(piece);
    const bytes = this.#join();
    this.#pieces = [];
    this.#size = 0;
    const length = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    return this.#decoder.decode(bytes.subarray(0, length));
  }

  #join(): Uint8Array {
    const [first] = this.#pieces;
    if (this.#pieces.length <= 1) return first ?? new Uint8Array();
    const bytes = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}

function tooLong(what: string, limit: number): SkillzError {
  return new SkillzError(
    "limit",
    `Cannot read on: ${what} is longer than ${limit} bytes, the most that is allowed`,
  );
}
