import { tmpdir } from "node:os";
import { errorText, SkillzError } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { makeRedactor } from "../../base/redact.ts";
import { removeFolder } from "../../install/remove_folder.ts";
import type { ToolResult } from "../../base/tool_result.ts";
import type { Tool } from "../../tools/tool.ts";
import type { CallContext } from "../call_context.ts";
import { FairQueue, type Slot } from "../fair_queue.ts";
import type { Host } from "../host.ts";
import type { Runner, ToolRequest } from "../runner.ts";
import { findInterpreter } from "./interpreters.ts";
import { findParts, type LaunchPlan, planLaunch } from "./launch.ts";
import { PersistentPool, type PersistentPoolDeps } from "./persistent_pool.ts";
import { runCall, type RunCallDeps } from "./run_call.ts";
import { makeScratch } from "./scratch.ts";
import { type EndOptions, type LauncherDeps, launchScript, type LiveScript } from "./script_launcher.ts";
import { StandbyPool, type StandbyPoolDeps } from "./standby_pool.ts";
import { waitsForCall } from "./waits_for_call.ts";

/** What {@linkcode createScriptRunner} needs. */
export interface ScriptRunnerDeps extends LauncherDeps {
  /** What scripts may ask for. */
  readonly host: Host;
  /** Hears of scripts that could not be cleared away. */
  readonly logger: Logger;
  /**
   * Most script processes that serve calls at once, in each depth of nested calls.
   * @default 8 for each core, at least 16
   */
  readonly maxRunning?: number;
  /** Processes that are started before their call; `max: 0` starts none. */
  readonly standby?: Pick<StandbyPoolDeps, "max" | "idleMs">;
  /** Processes that serve many calls. */
  readonly persistent?: Pick<PersistentPoolDeps, "idleMs" | "maxProcesses" | "yieldMs">;
}

/** The runner of tools whose `tool_type` is `script`. */
export function createScriptRunner(deps: ScriptRunnerDeps): Runner {
  return new ScriptRunner(deps);
}

class ScriptRunner implements Runner {
  readonly #deps: ScriptRunnerDeps;
  readonly #call: RunCallDeps;
  readonly #queue: FairQueue;
  readonly #standby: StandbyPool;
  readonly #persistent: PersistentPool;
  readonly #waits = new WeakMap<Tool, Promise<boolean>>();
  /** Scripts that have answered and are about to end. */
  readonly #ending = new Set<Promise<void>>();

  constructor(deps: ScriptRunnerDeps) {
    this.#deps = deps;
    this.#call = {
      host: deps.host,
      configuredRoots: deps.settings.roots,
      redact: makeRedactor(Object.values(deps.settings.secrets)),
    };
    this.#queue = new FairQueue(deps.maxRunning ?? Math.max(16, 8 * navigator.hardwareConcurrency));
    const launch = (plan: LaunchPlan, signal: AbortSignal) => launchScript(plan, deps, { signal });
    const end = (live: LiveScript, options?: EndOptions) => this.#end(live, options);
    this.#standby = new StandbyPool({
      ...deps.standby,
      launch,
      end,
      crowded: () => this.#queue.counts().waiting > 0,
      spareMemory: () => Deno.systemMemoryInfo().available,
    });
    this.#persistent = new PersistentPool({ ...deps.persistent, ...this.#call, launch, end });
  }

  async run(tool: Tool, request: ToolRequest, ctx: CallContext): Promise<ToolResult> {
    if (tool.manifest.lifecycle === "persistent") {
      return await this.#persistent.run(await planLaunch(tool, this.#deps, ctx), request, ctx);
    }
    using _slot = await this.#enter(tool, ctx);
    const plan = await planLaunch(tool, this.#deps, ctx);
    const live = this.#standby.take(plan) ?? await launchScript(plan, this.#deps, { signal: ctx.signal });
    try {
      const result = await runCall({ live, id: 1, shared: false, request, ctx }, this.#call);
      // Only what has talked is known to wait for its call.
      if (live.talk.spoke) void this.#prepareNext(plan);
      return result;
    } finally {
      void this.#end(live);
    }
  }

  async check(tool: Tool, ctx: CallContext): Promise<void> {
    // Only Deno tells what code needs without running it.
    if (!findInterpreter(tool.manifest.interpreter ?? "")?.deno) return;
    const { signal } = ctx;
    // Services need not run before the first call.
    const manifest = { ...tool.manifest, requires_services: [] };
    const plan = await planLaunch({ ...tool, manifest }, this.#deps, ctx);
    await using undo = new AsyncDisposableStack();
    const scratch = await makeScratch(this.#deps.scratchRoot ?? tmpdir());
    undo.defer(() => removeFolder(scratch));
    await findParts(plan, this.#deps, { scratch, signal });
  }

  forget(name?: string): Promise<void> {
    this.#standby.forget(name);
    this.#persistent.forget(name);
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#standby[Symbol.asyncDispose]();
    await this.#persistent[Symbol.asyncDispose]();
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  async #enter(tool: Tool, ctx: CallContext): Promise<Slot> {
    const { depth, signal } = ctx;
    try {
      return await this.#queue.enter({ session: ctx.caller.sessionId, depth, signal });
    } catch (cause) {
      if (!(cause instanceof SkillzError) || cause.code !== "timeout") throw cause;
      const { running } = this.#queue.counts();
      throw new SkillzError(
        "timeout",
        `Cannot run tool "${tool.name}": its time was over before it had a place to run`,
        {
          cause,
          hint: `${running} scripts run now, call again when there are fewer`,
        },
      );
    }
  }

  async #prepareNext(plan: LaunchPlan): Promise<void> {
    let waits = this.#waits.get(plan.tool);
    if (waits === undefined) this.#waits.set(plan.tool, waits = waitsForCall(plan.tool));
    if (await waits) this.#standby.used(plan);
  }

  #end(live: LiveScript, options?: EndOptions): Promise<void> {
    const ending = live.end(options).catch((error) => {
      this.#deps.logger.warn("a script could not be cleared away", {
        tool: live.plan.tool.name,
        reason: errorText(error),
      });
    }).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return ending;
  }
}
