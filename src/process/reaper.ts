import { wait } from "../base/wait.ts";
import { stopFamily } from "./_stop_family.ts";
import { readMarks, readProcessTable } from "./process_table.ts";
import type { StrayCollector } from "./spawn.ts";

/** How long ended children are gathered before one look at the machine's processes serves them all. */
const GATHER_MS = 100;

/** Options of {@linkcode Reaper}. */
export interface ReaperOptions {
  /** Gets what could not be ended. */
  onError?: (error: unknown) => void;
}

/**
 * Ends what children that ended by themselves left behind (daemons with a session of their own), many at once and off
 * the hot path: a look at all processes costs milliseconds, and nearly always finds nothing.
 */
export class Reaper implements StrayCollector, AsyncDisposable {
  readonly #options: ReaperOptions;
  #hurry: (() => void) | undefined;
  #ended = new Map<string, number>();
  #sweeping: Promise<void> | undefined;
  #closed = false;

  /** Looks when there is something to look for. */
  constructor(options: ReaperOptions = {}) {
    this.#options = options;
  }

  /** Ends, within a fraction of a second, everything that carries the family's mark. */
  collect(family: { readonly pid: number; readonly mark: string }): void {
    this.#ended.set(family.mark, family.pid);
    this.#sweeping ??= this.#sweep().finally(() => this.#sweeping = undefined);
  }

  /** Resolves when everything that was handed over until now is proven to be gone. */
  async settled(): Promise<void> {
    while (this.#sweeping !== undefined) await this.#sweeping;
  }

  /** Finishes what was handed over. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#hurry?.();
    await this.settled();
  }

  async #sweep(): Promise<void> {
    while (this.#ended.size > 0) {
      if (!this.#closed) await this.#gather();
      const batch = this.#ended;
      this.#ended = new Map();
      try {
        await this.#endStrays(batch);
      } catch (error) {
        this.#options.onError?.(error);
      }
    }
  }

  async #gather(): Promise<void> {
    // A promise of its own for each wait: what waits for one that lives on stays with it.
    const hurry = Promise.withResolvers<void>();
    this.#hurry = hurry.resolve;
    await wait(GATHER_MS, { until: hurry.promise });
  }

  async #endStrays(batch: ReadonlyMap<string, number>): Promise<void> {
    const living = [...(await readProcessTable()).values()].filter((entry) => !entry.zombie);
    const marks = new Set((await readMarks(living.map((entry) => entry.pid))).values());
    const stops = [...batch].filter(([mark]) => marks.has(mark)).map(([mark, pid]) =>
      stopFamily({ pid, mark, leaderEnded: true, known: new Map() }, {
        graceMs: 200,
        ended: Promise.resolve(),
      })
    );
    await Promise.all(stops);
  }
}
