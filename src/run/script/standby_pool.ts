import type { EndOptions, LiveScript } from "./script_launcher.ts";
import type { LaunchPlan } from "./launch.ts";

/** What {@linkcode StandbyPool} needs. */
export interface StandbyPoolDeps {
  /** Starts a script. */
  launch(plan: LaunchPlan, signal: AbortSignal): Promise<LiveScript>;
  /** Ends one. */
  end(live: LiveScript, options?: EndOptions): Promise<void>;
  /** Whether calls wait for a place to run: then nothing is started ahead of them. */
  crowded(): boolean;
  /** Bytes of memory that the machine can spare. */
  spareMemory(): number;
  /**
   * Most processes that stand by, of all tools.
   * @default 16
   */
  readonly max?: number;
  /**
   * How long a tool that is not called keeps its standby processes, in milliseconds.
   * @default 30_000
   */
  readonly idleMs?: number;
}

/** Calls within this time count as demand. */
const DEMAND_MS = 2000;
/** Memory that must stay free for the rest of the machine. */
const MEMORY_RESERVE = 512 * 1024 * 1024;
/** Most that are being started at once. */
const MAX_STARTING = 4;

/**
 * Processes that were started before their call: spawned, confined, and waiting for their first line. Each serves one
 * call, as a process that is started for it would; only the wait for the start is gone.
 *
 * There are few, for tools that were called lately, more while calls come fast. One that has written or ended by itself
 * shows that its script does not wait for its call: the tool is not started ahead again.
 */
export class StandbyPool implements AsyncDisposable {
  readonly #deps: StandbyPoolDeps;
  /** In order of last use. */
  readonly #shelves = new Map<string, Shelf>();
  /** Hashes of tools that do not wait. */
  readonly #unfit = new Set<string>();
  readonly #closing = new AbortController();
  readonly #tasks = new Set<Promise<void>>();
  #starting = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** An empty pool. */
  constructor(deps: StandbyPoolDeps) {
    this.#deps = deps;
  }

  /** A waiting process for this launch, if there is one. */
  take(plan: LaunchPlan): LiveScript | undefined {
    const shelf = this.#shelves.get(plan.key);
    for (let live = shelf?.ready.shift(); live; live = shelf?.ready.shift()) {
      if (!live.talk.touched) return live;
      this.#reject(plan, live);
    }
    return undefined;
  }

  /** Tells that a tool was called that may be started ahead; the next one is started soon. */
  used(plan: LaunchPlan): void {
    if (this.#unfit.has(plan.tool.hash) || this.#closing.signal.aborted) return;
    for (const [key, shelf] of this.#shelves) {
      if (
        key !== plan.key && shelf.plan.tool.name === plan.tool.name && shelf.plan.tool.hash !== plan.tool.hash
      ) {
        this.#clear(key);
      }
    }
    const shelf = this.#shelves.get(plan.key) ?? { plan, ready: [], starting: 0, calls: [] };
    this.#shelves.delete(plan.key);
    this.#shelves.set(plan.key, shelf);
    shelf.calls.push(performance.now());
    this.#schedule(0);
  }

  /** Ends what waits for a tool, for all when none is named. */
  forget(name?: string): void {
    for (const [key, { plan }] of this.#shelves) {
      if (name === undefined || plan.tool.name === name) this.#clear(key);
    }
  }

  /** How many processes wait or are being started. */
  get size(): number {
    let size = 0;
    for (const shelf of this.#shelves.values()) size += shelf.ready.length + shelf.starting;
    return size;
  }

  /** Ends all that waits, and starts nothing any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing.abort();
    this.forget();
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closing.signal.aborted) return;
    this.#timer = setTimeout(() => this.#tend(), ms);
  }

  /** Drops what is idle, starts what is wanted; last used first. */
  #tend(): void {
    const now = performance.now();
    const idleMs = this.#deps.idleMs ?? 30_000;
    for (const [key, shelf] of [...this.#shelves].reverse()) {
      const last = shelf.calls.at(-1) ?? 0;
      if (now - last > idleMs) {
        this.#clear(key);
        continue;
      }
      shelf.calls = shelf.calls.filter((time) => time === last || now - time < DEMAND_MS);
      const wanted = Math.min(shelf.calls.length, this.#max);
      while (shelf.ready.length > wanted && now - last > DEMAND_MS) this.#discard(shelf.ready.shift());
      while (shelf.ready.length + shelf.starting < wanted && this.#mayStart(shelf)) this.#start(shelf);
    }
    if (this.#shelves.size > 0) this.#schedule(this.#deps.crowded() ? 100 : 1000);
  }

  get #max(): number {
    return this.#deps.max ?? 16;
  }

  #mayStart(shelf: Shelf): boolean {
    if (this.#starting >= MAX_STARTING || this.#deps.crowded()) return false;
    if (this.#deps.spareMemory() < MEMORY_RESERVE) return false;
    if (this.size < this.#max) return true;
    // Whoever was used longest ago makes room.
    for (const other of this.#shelves.values()) {
      if (other === shelf) return false;
      const oldest = other.ready.shift();
      if (oldest === undefined) continue;
      this.#discard(oldest);
      return true;
    }
    return false;
  }

  #start(shelf: Shelf): void {
    shelf.starting += 1;
    this.#starting += 1;
    this.#track(
      this.#launch(shelf).finally(() => {
        shelf.starting -= 1;
        this.#starting -= 1;
        this.#schedule(0);
      }),
    );
  }

  async #launch(shelf: Shelf): Promise<void> {
    const { plan } = shelf;
    const live = await this.#deps.launch(plan, this.#closing.signal).catch(() => undefined);
    if (live === undefined) {
      // The next call meets the same trouble and reports it.
      if (this.#shelves.get(plan.key) === shelf) this.#shelves.delete(plan.key);
    } else if (this.#shelves.get(plan.key) !== shelf) {
      this.#discard(live);
    } else {
      shelf.ready.push(live);
      live.talk.done.then(() => {
        const at = shelf.ready.indexOf(live);
        if (at < 0) return;
        shelf.ready.splice(at, 1);
        this.#reject(plan, live);
      });
    }
  }

  #reject(plan: LaunchPlan, live: LiveScript): void {
    this.#unfit.add(plan.tool.hash);
    this.#discard(live);
    this.#clear(plan.key);
  }

  #clear(key: string): void {
    const shelf = this.#shelves.get(key);
    this.#shelves.delete(key);
    for (const live of shelf?.ready.splice(0) ?? []) this.#discard(live);
  }

  #discard(live: LiveScript | undefined): void {
    if (live) this.#track(this.#deps.end(live, { patienceMs: 0 }));
  }

  #track(task: Promise<void>): void {
    this.#tasks.add(task);
    task.finally(() => this.#tasks.delete(task));
  }
}

/** What waits for one launch. */
interface Shelf {
  readonly plan: LaunchPlan;
  readonly ready: LiveScript[];
  starting: number;
  /** Times of the last calls. */
  calls: number[];
}
