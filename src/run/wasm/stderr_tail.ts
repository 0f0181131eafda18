/** Keeps the end of what a module writes to standard error, and hands on each whole line. */
export class StderrTail {
  readonly #decoder = new TextDecoder();
  readonly #onLine: (line: string) => void;
  readonly #bytes: number;
  #text = "";
  #line = "";

  /** Keeps the last `bytes` characters. */
  constructor(onLine: (line: string) => void, bytes = 8192) {
    this.#onLine = onLine;
    this.#bytes = bytes;
  }

  /** Takes a piece. */
  push(piece: Uint8Array): void {
    const text = this.#decoder.decode(piece, { stream: true });
    this.#text = (this.#text + text).slice(-this.#bytes);
    const lines = (this.#line + text).split("\n");
    this.#line = (lines.pop() ?? "").slice(-this.#bytes);
    lines.filter((line) => line.trim() !== "").forEach((line) => this.#onLine(line));
  }

  /** Ends the last line; returns all that is kept, with `more` after it. */
  end(more = ""): string {
    if (this.#line.trim() !== "") this.#onLine(this.#line);
    this.#line = "";
    return (this.#text + more).slice(-this.#bytes);
  }
}
