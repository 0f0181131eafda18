import type { ToolResult } from "../../base/tool_result.ts";
import type { Logger } from "../../base/log.ts";
import { errorText } from "../../base/errors.ts";
import type { Tool } from "../../tools/tool.ts";
import type { CallContext } from "../call_context.ts";
import { FairQueue } from "../fair_queue.ts";
import type { Host } from "../host.ts";
import type { Runner, ToolRequest } from "../runner.ts";
import { planLaunch } from "./launch.ts";
import { runCall } from "./run_call.ts";
import { type LauncherDeps, launchScript, type LiveScript } from "./script_launcher.ts";

/** What {@linkcode createScriptRunner} needs. */
export interface ScriptRunnerDeps extends LauncherDeps {
  readonly host: Host;
  readonly logger: Logger;
  /**
   * Most script processes that serve calls at once, in each depth of nested calls.
   * @default 8 for each core, at least 16
   */
  readonly maxRunning?: number;
}

/** The runner of tools whose `tool_type` is `script`. */
export function createScriptRunner(deps: ScriptRunnerDeps): Runner {
  return new ScriptRunner(deps);
}

class ScriptRunner implements Runner {
  readonly #deps: ScriptRunnerDeps;
  readonly #queue: FairQueue;
  /** Scripts that have answered and are about to end. */
  readonly #ending = new Set<Promise<void>>();

  constructor(deps: ScriptRunnerDeps) {
    this.#deps = deps;
    this.#queue = new FairQueue(deps.maxRunning ?? Math.max(16, 8 * navigator.hardwareConcurrency));
  }

  async run(tool: Tool, request: ToolRequest, ctx: CallContext): Promise<ToolResult> {
    using _slot = await this.#queue.enter({
      session: ctx.caller.sessionId,
      depth: ctx.depth,
      signal: ctx.signal,
    });
    const plan = await planLaunch(tool, this.#deps, ctx);
    const live = await launchScript(plan, this.#deps, { signal: ctx.signal });
    try {
      return await runCall({ live, id: 1, request, ctx }, {
        host: this.#deps.host,
        configuredRoots: this.#deps.settings.roots,
      });
    } finally {
      this.#end(live);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#ending);
  }

  #end(live: LiveScript): void {
    const ending = live.end().catch((error) => {
      this.#deps.logger.warn("a script could not be cleared away", {
        tool: live.plan.tool.name,
        reason: errorText(error),
      });
    }).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
