import { raceAbort } from "../../base/abort.ts";
import type { StrayCollector } from "../../process/spawn.ts";
import type { EngineCommand } from "./engine_command.ts";
import { EngineProcess } from "./engine_process.ts";

/** Options of {@linkcode EnginePool}. */
export interface EnginePoolOptions {
  /** How an engine is started. */
  readonly command: EngineCommand;
  /** Most engines at once. */
  readonly max: number;
  /** Engines that are started without delay, and kept while there is work. */
  readonly base: number;
  /** How long a call waits for a busy engine before another one is started. */
  readonly growAfterMs: number;
  /** How long an engine without work is kept. */
  readonly idleMs: number;
  /** Ends what ended engines left behind. */
  readonly strays?: StrayCollector;
}

/** Engines that stand ready, never more than there is work for. */
export class EnginePool implements AsyncDisposable {
  readonly #options: EnginePoolOptions;
  readonly #all = new Set<EngineProcess>();
  /** Those without work, the one used last at the end. */
  readonly #idle: { engine: EngineProcess; since: number }[] = [];
  readonly #waiting: ((engine: EngineProcess) => void)[] = [];
  readonly #ending = new Set<Promise<void>>();
  #growing: ReturnType<typeof setTimeout> | undefined;
  #sweeping: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  /** Starts nothing yet. */
  constructor(options: EnginePoolOptions) {
    this.#options = options;
  }

  /** How many engines there are. */
  get size(): number {
    return this.#all.size;
  }

  /** An engine that nobody else uses, to be given back. Rejects with the signal's reason when that aborts first. */
  async take(signal: AbortSignal): Promise<EngineProcess> {
    signal.throwIfAborted();
    for (let free = this.#idle.pop(); free !== undefined; free = this.#idle.pop()) {
      if (!free.engine.isGone) return free.engine;
      this.#end(free.engine);
    }
    if (this.#all.size < Math.min(this.#options.base, this.#options.max)) return this.#start();
    const { promise, resolve } = Promise.withResolvers<EngineProcess>();
    this.#waiting.push(resolve);
    this.#growLater();
    try {
      return await raceAbort(promise, signal);
    } catch (error) {
      const place = this.#waiting.indexOf(resolve);
      if (place >= 0) this.#waiting.splice(place, 1);
      else void promise.then((engine) => this.giveBack(engine, { reuse: true }));
      throw error;
    }
  }

  /** Gives an engine back; one that is not to be reused is ended at once. */
  giveBack(engine: EngineProcess, { reuse }: { reuse: boolean }): void {
    if (!reuse || engine.isGone || this.#closed) {
      this.#end(engine);
      if (this.#waiting.length > 0 && !this.#closed) this.#serve(this.#start);
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) return next(engine);
    this.#idle.push({ engine, since: performance.now() });
    this.#sweepLater();
  }

  /** Ends all engines that have no work. */
  drop(): void {
    for (const { engine } of this.#idle.splice(0)) this.#end(engine);
  }

  /** Ends every engine, also one at work. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#growing);
    clearTimeout(this.#sweeping);
    this.#idle.splice(0);
    for (const engine of this.#all) this.#end(engine);
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  readonly #start = (): EngineProcess => {
    const { command, strays } = this.#options;
    const engine = new EngineProcess(command, strays === undefined ? {} : { strays });
    this.#all.add(engine);
    return engine;
  };

  #serve(make: () => EngineProcess): void {
    try {
      const engine = make();
      this.#waiting.shift()?.(engine);
    } catch {
      // whoever waits goes on waiting for the engines that there are, and its own limit bounds that
    }
  }

  #end(engine: EngineProcess): void {
    if (!this.#all.delete(engine)) return;
    const ending = engine[Symbol.asyncDispose]().catch(() => {}).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Starting one costs more than a quick call: only when the others are busy for longer, there is need of more. */
  #growLater(): void {
    if (this.#growing !== undefined) return;
    this.#growing = setTimeout(() => {
      this.#growing = undefined;
      if (this.#waiting.length === 0) return;
      if (this.#all.size < this.#options.max) this.#serve(this.#start);
      this.#growLater();
    }, this.#options.growAfterMs);
  }

  #sweepLater(): void {
    if (this.#sweeping !== undefined || this.#idle.length === 0) return;
    const { idleMs } = this.#options;
    this.#sweeping = setTimeout(() => {
      this.#sweeping = undefined;
      const old = this.#idle.findIndex(({ since }) => performance.now() - since < idleMs);
      for (const { engine } of this.#idle.splice(0, old === -1 ? this.#idle.length : old)) this.#end(engine);
      this.#sweepLater();
    }, idleMs);
    Deno.unrefTimer(this.#sweeping);
  }
}
