/** Counts the requests that tools work on, so that a server that stops can let them end. */
export class RunningCalls {
  readonly #waiters: (() => void)[] = [];
  #count = 0;
  #total = 0;

  /** How many run now. */
  get count(): number {
    return this.#count;
  }

  /** How many there have been, those that run included. */
  get total(): number {
    return this.#total;
  }

  /** Counts a piece of work while it lasts. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.#count++;
    this.#total++;
    try {
      return await work();
    } finally {
      this.#count--;
      if (this.#count === 0) { for (const wake of this.#waiters.splice(0)) wake(); }
    }
  }

  /** Resolves when none runs. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }
}
