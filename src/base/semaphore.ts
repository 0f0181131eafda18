/** Lets at most so many through at once, first come first served; with 1 place it is a mutex. */
export class Semaphore {
  #free: number;
  readonly #queue: (() => void)[] = [];

  /** Has `places` places, at least 1. */
  constructor(places: number) {
    this.#free = Math.max(1, Math.floor(places));
  }

  /**
   * Waits for a place and holds it until disposed (harmless when repeated).
   *
   * @throws the signal's reason when it aborts before.
   */
  async acquire(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) this.#release();
        held = false;
      },
    };
  }

  /** Runs `work` in a place. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    using _place = await this.acquire(signal);
    return await work();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(enter), 1);
        reject(signal?.reason);
      };
      this.#queue.push(enter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** The place goes straight to whoever waits longest, so that nobody overtakes. */
  #release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}
