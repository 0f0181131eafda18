/** Longest line that is forwarded, in characters; the rest of it is left out. */
const MAX_LINE = 4096;
/** Most lines that are forwarded in one second. */
const MAX_RATE = 200;

/** Cuts bytes into lines for people: bounded in length and rate, and a listener that throws is no harm. */
export class LineForwarder {
  readonly #listener: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #line = "";
  #second = 0;
  #sent = 0;
  #leftOut = 0;

  /** Lines go to `listener`. */
  constructor(listener: (line: string) => void) {
    this.#listener = listener;
  }

  /** Takes the next bytes. */
  push(bytes: Uint8Array): void {
    const parts = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const rest = parts.pop() ?? "";
    for (const part of parts) {
      this.#forward(this.#line + part);
      this.#line = "";
    }
    if (this.#line.length <= MAX_LINE) this.#line += rest.slice(0, MAX_LINE + 1);
  }

  /** Forwards what has not been yet. */
  end(): void {
    if (this.#line !== "") this.#forward(this.#line);
    this.#line = "";
    this.#reportLeftOut();
  }

  #forward(line: string): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#reportLeftOut();
      this.#second = second;
      this.#sent = 0;
    }
    if (this.#sent++ >= MAX_RATE) {
      this.#leftOut++;
      return;
    }
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    this.#emit(text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text);
  }

  #reportLeftOut(): void {
    if (this.#leftOut > 0) this.#emit(`(${this.#leftOut} more lines were left out)`);
    this.#leftOut = 0;
  }

  #emit(text: string): void {
    try {
      this.#listener(text);
    } catch {
      // The reader of the bytes goes on whatever its listener does.
    }
  }
}
