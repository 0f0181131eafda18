/** Calls `onExpire` once, when it was not put off for long enough. */
export class Watchdog implements Disposable {
  readonly #onExpire: () => void;
  #end = Infinity;
  #wakes = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts to count at once. */
  constructor(ms: number, onExpire: () => void) {
    this.#onExpire = onExpire;
    this.extend(ms);
  }

  /** Moves the end to `ms` from now; so cheap that it may be done for every packet. */
  extend(ms: number): void {
    this.#end = performance.now() + ms;
    // A timer that wakes too early looks again; only one that wakes too late must be set anew.
    if (this.#end < this.#wakes) this.#set(ms);
  }

  /** Stops counting. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#wakes = -Infinity;
  }

  #set(ms: number): void {
    clearTimeout(this.#timer);
    this.#wakes = performance.now() + ms;
    this.#timer = setTimeout(() => this.#look(), ms);
  }

  #look(): void {
    const rest = this.#end - performance.now();
    if (rest > 0) return this.#set(rest);
    this.#wakes = -Infinity;
    this.#onExpire();
  }
}
