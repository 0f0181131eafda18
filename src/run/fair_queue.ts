/** A place in the queue's running set; disposing it lets the next one in. */
export interface Slot extends Disposable {}

/**
 * Bounds how much runs at once, fair between sessions: whoever has fewest waiting is not held up by whoever has many.
 *
 * Each depth of nested calls has its own bound. A call only ever waits for calls of its own depth, which can only wait
 * for deeper ones, so calls that wait for each other can't lock up.
 */
export class FairQueue {
  readonly #limit: number;
  readonly #lanes = new Map<number, Lane>();

  /** At most `limit` at once in each depth. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits for a place. Rejects with the signal's reason when that aborts first. */
  enter(options: { session: string; depth: number; signal: AbortSignal }): Promise<Slot> {
    let lane = this.#lanes.get(options.depth);
    if (!lane) this.#lanes.set(options.depth, lane = new Lane(this.#limit));
    return lane.enter(options.session, options.signal);
  }

  /** How many run and wait, in all depths. */
  counts(): { running: number; waiting: number } {
    let [running, waiting] = [0, 0];
    for (const lane of this.#lanes.values()) {
      running += lane.running;
      waiting += lane.waiting();
    }
    return { running, waiting };
  }
}

class Lane {
  readonly #limit: number;
  /** Waiting calls by session; the session whose turn is next comes first. */
  readonly #waiting = new Map<string, Set<() => void>>();
  running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  waiting(): number {
    return [...this.#waiting.values()].reduce((sum, calls) => sum + calls.size, 0);
  }

  enter(session: string, signal: AbortSignal): Promise<Slot> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.running < this.#limit) return Promise.resolve(this.#take());
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const calls = this.#waiting.get(session) ?? new Set();
    this.#waiting.set(session, calls);
    const onAbort = () => {
      calls.delete(go);
      if (calls.size === 0) this.#waiting.delete(session);
      reject(signal.reason);
    };
    const go = () => {
      signal.removeEventListener("abort", onAbort);
      resolve(this.#take());
    };
    calls.add(go);
    signal.addEventListener("abort", onAbort, { once: true });
    return promise;
  }

  #take(): Slot {
    this.running += 1;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.running -= 1;
        this.#next();
      },
    };
  }

  #next(): void {
    for (const [session, calls] of this.#waiting) {
      const [go] = calls;
      this.#waiting.delete(session);
      if (go === undefined) continue;
      calls.delete(go);
      if (calls.size > 0) this.#waiting.set(session, calls);
      go();
      return;
    }
  }
}
