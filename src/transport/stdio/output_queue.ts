/** Options of {@linkcode OutputQueue}. */
export interface OutputQueueOptions {
  /** Called once when nobody reads any more. */
  onBroken?: () => void;
}

/** Halves of characters, which `JSON.stringify` escapes: many readers refuse the whole line over one. */
const HALF_CHARACTERS = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** Writes messages as lines, one after the other, never blocking; all that waits goes out in one write. */
export class OutputQueue {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #onBroken: () => void;
  readonly #encoder = new TextEncoder();
  #waiting: string[] = [];
  #draining: Promise<void> | undefined;
  #broken = false;

  /** Takes the stream for itself. */
  constructor(sink: WritableStream<Uint8Array>, options: OutputQueueOptions = {}) {
    this.#writer = sink.getWriter();
    this.#onBroken = options.onBroken ?? (() => {});
  }

  /** Resolves when the message was handed to the reader's side, or can no longer be. Never rejects. */
  send(message: unknown): Promise<void> {
    if (this.#broken) return Promise.resolve();
    const text = JSON.stringify(message);
    this.#waiting.push((text.includes("\\ud") ? text.replace(HALF_CHARACTERS, "$1\\ufffd") : text) + "\n");
    return this.idle();
  }

  /** Resolves when nothing waits. */
  idle(): Promise<void> {
    if (this.#waiting.length > 0) this.#draining ??= this.#drain();
    return this.#draining ?? Promise.resolve();
  }

  async #drain(): Promise<void> {
    // One turn later, so that messages made in the same turn share a write.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0) {
        const lines = this.#waiting;
        this.#waiting = [];
        await this.#writer.write(this.#encoder.encode(lines.join("")));
      }
    } catch {
      this.#broken = true;
      this.#waiting = [];
      this.#onBroken();
    } finally {
      this.#draining = undefined;
    }
  }
}
