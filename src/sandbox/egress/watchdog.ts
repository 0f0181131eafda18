/** Calls `onExpire` once, when it was not put off for long enough. */
export class Watchdog implements Disposable {
  readonly #onExpire: () => void;
  #end: number;
  #timer: ReturnType<typeof setTimeout>;

  /** Starts to count at once. */
  constructor(ms: number, onExpire: () => void) {
    this.#onExpire = onExpire;
    this.#end = performance.now() + ms;
    this.#timer = setTimeout(() => this.#look(), ms);
  }

  /** Puts the end off to `ms` from now; so cheap that it may be done for every packet. */
  extend(ms: number): void {
    this.#end = performance.now() + ms;
  }

  /** Stops counting. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    const rest = this.#end - performance.now();
    if (rest <= 0) this.#onExpire();
    else this.#timer = setTimeout(() => this.#look(), rest);
  }
}
