/** Ends a module that wrote more than it may. */
export class OutputLimit extends Error {}

/** How much of standard error is sent as it comes; a longer one is kept back but for its end. */
const LIVE_BYTES = 64 * 1024;
const TAIL_BYTES = 8 * 1024;

/** What a module writes: standard output is kept whole up to its limit, standard error goes to the server at once. */
export class Output {
  readonly #limit: number;
  readonly #sendStderr: (bytes: Uint8Array) => void;
  readonly #stdout: Uint8Array[] = [];
  #stdoutSize = 0;
  #stderrSize = 0;
  #tail = new Uint8Array(0);

  /** At most `limit` bytes of standard output. */
  constructor(limit: number, sendStderr: (bytes: Uint8Array) => void) {
    this.#limit = limit;
    this.#sendStderr = sendStderr;
  }

  /** Takes standard output. Throws {@linkcode OutputLimit}. */
  stdout(bytes: Uint8Array): void {
    if (this.#stdoutSize + bytes.length > this.#limit) throw new OutputLimit();
    this.#stdoutSize += bytes.length;
    this.#stdout.push(bytes.slice());
  }

  /** Takes standard error. */
  stderr(bytes: Uint8Array): void {
    this.#stderrSize += bytes.length;
    if (this.#stderrSize <= LIVE_BYTES) return this.#sendStderr(bytes);
    const tail = new Uint8Array(Math.min(TAIL_BYTES, this.#tail.length + bytes.length));
    const rest = bytes.subarray(-tail.length);
    const kept = tail.length - rest.length;
    if (kept > 0) tail.set(this.#tail.subarray(-kept));
    tail.set(rest, kept);
    this.#tail = tail;
  }

  /** All of standard output. */
  all(): Uint8Array {
    const bytes = new Uint8Array(this.#stdoutSize);
    let done = 0;
    for (const chunk of this.#stdout) {
      bytes.set(chunk, done);
      done += chunk.length;
    }
    return bytes;
  }

  /** The end of the standard error that was kept back. */
  stderrTail(): string {
    return new TextDecoder().decode(this.#tail);
  }
}
