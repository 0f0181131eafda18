import { wait } from "../../base/wait.ts";
import type { ToolResult } from "../../base/tool_result.ts";
import type { CallContext } from "../call_context.ts";
import { FairQueue } from "../fair_queue.ts";
import type { ToolRequest } from "../runner.ts";
import type { LaunchPlan } from "./launch.ts";
import { runCall, type RunCallDeps } from "./run_call.ts";
import type { EndOptions, LiveScript } from "./script_launcher.ts";

/** What {@linkcode PersistentPool} needs. */
export interface PersistentPoolDeps extends RunCallDeps {
  /** Starts a script. */
  launch(plan: LaunchPlan, signal: AbortSignal): Promise<LiveScript>;
  /** Ends one, off the path of any answer. */
  end(live: LiveScript, options?: EndOptions): Promise<void>;
  /**
   * How long a process may be idle before it is ended, in milliseconds.
   * @default 300_000
   */
  readonly idleMs?: number;
  /**
   * Most processes kept; beyond it the one that was idle longest is ended.
   * @default 32
   */
  readonly maxProcesses?: number;
  /**
   * How long a cancelled call may go on before its process is ended, in milliseconds.
   * @default 1000
   */
  readonly yieldMs?: number;
}

/**
 * Processes of `persistent` tools. Calls of equal surroundings share one; nested calls have another for each depth, so
 * that two tools that call each other never wait for one another.
 */
export class PersistentPool implements AsyncDisposable {
  readonly #deps: PersistentPoolDeps;
  /** In order of last use. */
  readonly #keepers = new Map<string, Keeper>();

  /** An empty pool. */
  constructor(deps: PersistentPoolDeps) {
    this.#deps = deps;
  }

  /** Has the tool's process do a call; starts it when there is none. */
  async run(plan: LaunchPlan, request: ToolRequest, ctx: CallContext): Promise<ToolResult> {
    const key = `${ctx.depth} ${plan.key}`;
    let keeper = this.#keepers.get(key);
    this.#retireOlder(plan);
    if (keeper === undefined) keeper = new Keeper(plan, this.#deps, () => this.#drop(key));
    this.#keepers.delete(key);
    this.#keepers.set(key, keeper);
    this.#makeRoom();
    return await keeper.run(request, ctx);
  }

  /** Ends the processes of a tool (of all when none is named) as soon as their calls are done. */
  forget(name?: string): void {
    for (const [key, keeper] of this.#keepers) {
      if (name === undefined || keeper.tool === name) this.#drop(key);
    }
  }

  /** Ends all processes; calls under way are lost. */
  async [Symbol.asyncDispose](): Promise<void> {
    const keepers = [...this.#keepers.values()];
    this.#keepers.clear();
    await Promise.all(keepers.map((keeper) => keeper.lose("the server is closing")));
  }

  #drop(key: string): void {
    this.#keepers.get(key)?.retire();
    this.#keepers.delete(key);
  }

  /** Another state of the tool has come: processes of the one before end with their calls. */
  #retireOlder({ tool }: LaunchPlan): void {
    for (const [key, keeper] of this.#keepers) {
      if (keeper.tool === tool.name && keeper.directory === tool.directory && keeper.hash !== tool.hash) {
        this.#drop(key);
      }
    }
  }

  #makeRoom(): void {
    let over = this.#keepers.size - (this.#deps.maxProcesses ?? 32);
    for (const [key, keeper] of this.#keepers) {
      if (over <= 0) return;
      if (keeper.busy) continue;
      this.#drop(key);
      over -= 1;
    }
  }
}

/** One process, or the place for one that is started at the next call. */
class Keeper {
  readonly #plan: LaunchPlan;
  readonly #deps: PersistentPoolDeps;
  readonly #queue: FairQueue;
  readonly #onIdle: () => void;
  #live: Promise<LiveScript> | undefined;
  #lastId = 0;
  #calls = 0;
  #retired = false;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(plan: LaunchPlan, deps: PersistentPoolDeps, onIdle: () => void) {
    this.#plan = plan;
    this.#deps = deps;
    this.#onIdle = onIdle;
    this.#queue = new FairQueue(plan.tool.manifest.concurrency);
  }

  get tool(): string {
    return this.#plan.tool.name;
  }

  get directory(): string {
    return this.#plan.tool.directory;
  }

  get hash(): string {
    return this.#plan.tool.hash;
  }

  get busy(): boolean {
    return this.#calls > 0;
  }

  async run(request: ToolRequest, ctx: CallContext): Promise<ToolResult> {
    this.#calls += 1;
    clearTimeout(this.#idleTimer);
    const session = ctx.caller.sessionId;
    let freed: Promise<void> | undefined;
    const slot = await this.#queue.enter({ session, depth: 0, signal: ctx.signal }).catch((reason) => {
      this.#done();
      throw reason;
    });
    try {
      const live = await this.#ready(ctx.signal);
      const id = ++this.#lastId;
      try {
        return await runCall({ live, id, shared: true, request, ctx }, this.#deps);
      } catch (error) {
        freed = this.#yieldOrEnd(live, id);
        throw error;
      }
    } finally {
      const free = () => {
        slot[Symbol.dispose]();
        this.#done();
      };
      if (freed === undefined) free();
      else freed.then(free, free);
    }
  }

  /** Ends the process once its calls are done. */
  retire(): void {
    this.#retired = true;
    clearTimeout(this.#idleTimer);
    if (!this.busy) void this.#endProcess();
  }

  async lose(reason: string): Promise<void> {
    this.#retired = true;
    clearTimeout(this.#idleTimer);
    (await this.#live?.catch(() => undefined))?.talk.lose(reason);
    await this.#endProcess();
  }

  async #ready(signal: AbortSignal): Promise<LiveScript> {
    for (;;) {
      const current = this.#live;
      const live = await current?.catch(() => undefined);
      if (live && !live.talk.over) return live;
      signal.throwIfAborted();
      // Another call may have started the next one meanwhile.
      if (this.#live !== current) continue;
      if (live) void this.#deps.end(live, { patienceMs: 0 });
      this.#lastId = 0;
      this.#live = this.#deps.launch(this.#plan, signal);
    }
  }

  /** Waits until a cancelled call has yielded; a process that goes on with it is ended, whoever else uses it. */
  async #yieldOrEnd(live: LiveScript, id: number): Promise<void> {
    const settled = live.talk.cancel(id, "the call was cancelled");
    let yielded = false;
    settled.then(() => yielded = true);
    await wait(this.#deps.yieldMs ?? 1000, { until: settled });
    if (yielded && !live.talk.over) return;
    live.talk.lose(
      "the process was ended because another call of this tool did not stop when it was cancelled",
    );
    await this.#deps.end(live, { patienceMs: 0 });
  }

  #done(): void {
    this.#calls -= 1;
    if (this.busy) return;
    if (this.#retired) return void this.#endProcess();
    this.#idleTimer = setTimeout(this.#onIdle, this.#deps.idleMs ?? 300_000);
  }

  async #endProcess(): Promise<void> {
    const live = await this.#live?.catch(() => undefined);
    this.#live = undefined;
    if (live) await this.#deps.end(live);
  }
}
