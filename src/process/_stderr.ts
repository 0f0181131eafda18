import { type ChunkReader, openChunkReader } from "../base/chunk_reader.ts";
import { LineForwarder } from "./_line_forwarder.ts";

/** Options of {@linkcode StderrDrain}. */
export interface StderrDrainOptions {
  /** How many last bytes are kept. */
  tailBytes: number;
  /** Gets each line, bounded in length and rate. */
  onLine?: (text: string) => void;
}

/** Reads a child's stderr all the time, so that it never blocks on it; keeps the end and forwards lines. */
export class StderrDrain {
  /** Settles when the stream has ended; never rejects. */
  readonly done: Promise<void>;
  readonly #reader: ChunkReader;
  readonly #limit: number;
  readonly #lines: LineForwarder | undefined;
  readonly #tail: Uint8Array[] = [];
  #tailSize = 0;

  /** Starts reading at once. */
  constructor(stream: ReadableStream<Uint8Array>, options: StderrDrainOptions) {
    this.#reader = openChunkReader(stream);
    this.#limit = options.tailBytes;
    this.#lines = options.onLine && new LineForwarder(options.onLine);
    this.done = this.#read();
  }

  /** What was kept, as text; never begins inside a character. */
  tail(): string {
    const bytes = new Uint8Array(this.#tailSize);
    let at = 0;
    for (const chunk of this.#tail) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    let from = Math.max(0, bytes.length - this.#limit);
    while (from > 0 && from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
    return new TextDecoder().decode(bytes.subarray(from));
  }

  /** Stops reading, e.g. because something that can't be ended holds the pipe open. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
    await this.done;
  }

  async #read(): Promise<void> {
    try {
      for (let chunk = await this.#reader.read(); chunk; chunk = await this.#reader.read()) {
        this.#keep(chunk);
        this.#lines?.push(chunk);
      }
    } catch {
      // A broken pipe ends it as its end does.
    }
    this.#lines?.end();
  }

  /** Keeps one chunk more than the limit needs, so that nothing is copied for each of many small chunks. */
  #keep(chunk: Uint8Array): void {
    // A little more than the limit, so that the cut can be moved to the start of a character.
    const kept = chunk.length > this.#limit ? chunk.slice(-this.#limit - 1) : chunk;
    this.#tail.push(kept);
    this.#tailSize += kept.length;
    let first = this.#tail[0];
    while (first !== undefined && this.#tailSize - first.length >= this.#limit) {
      this.#tail.shift();
      this.#tailSize -= first.length;
      first = this.#tail[0];
    }
  }
}
