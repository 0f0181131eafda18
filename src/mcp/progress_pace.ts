import type { ProgressUpdate } from "../run/call_context.ts";

/** Updates that go out at once, whatever their rate. */
const BURST = 100;
/** Milliseconds between two updates of a call that reports without pause. */
const PAUSE_MS = 50;

/**
 * Bounds how often a call's progress is sent: a loop that reports each of a million steps would keep the client so busy
 * that it misses the answer. What is left out is always older than what is sent; the last one is sent in any case.
 */
export class ProgressPace {
  readonly #send: (update: ProgressUpdate) => void;
  #free = BURST;
  #counted = performance.now();
  #latest: ProgressUpdate | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Updates are handed on to `send`. */
  constructor(send: (update: ProgressUpdate) => void) {
    this.#send = send;
  }

  /** Takes an update, which goes out now or a moment later unless a newer one has come. */
  take(update: ProgressUpdate): void {
    const now = performance.now();
    this.#free = Math.min(BURST, this.#free + (now - this.#counted) / PAUSE_MS);
    this.#counted = now;
    if (this.#latest === undefined && this.#free >= 1) {
      this.#free -= 1;
      return this.#send(update);
    }
    this.#latest = update;
    this.#timer ??= setTimeout(() => this.flush(), PAUSE_MS);
  }

  /** Sends what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const latest = this.#latest;
    this.#latest = undefined;
    if (latest !== undefined) this.#send(latest);
  }
}
