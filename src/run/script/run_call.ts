import { errorText, SkillzError } from "../../base/errors.ts";
import { textBlock, type ToolResult } from "../../base/tool_result.ts";
import type { JsonObject } from "../../base/json.ts";
import type { CallContext } from "../call_context.ts";
import { withSignal } from "../child_context.ts";
import type { Host } from "../host.ts";
import { Progress } from "../progress.ts";
import type { ToolRequest } from "../runner.ts";
import { executeParams } from "./execute_params.ts";
import { serveHostRequest } from "./host_requests.ts";
import { outcomeResult } from "./outcome.ts";
import type { LiveScript } from "./script_launcher.ts";
import type { ScriptOutcome } from "./script_process.ts";
import { ScriptNotes } from "./script_notes.ts";

/** One call, and the process that does it. */
export interface ScriptCall {
  /** The script that does it. */
  readonly live: LiveScript;
  /** Whether the process serves other calls too. */
  readonly shared: boolean;
  /** Its JSON-RPC id. */
  readonly id: number;
  /** What is asked of it. */
  readonly request: ToolRequest;
  /** On whose behalf, and for how long. */
  readonly ctx: CallContext;
}

/** How many last lines of stderr a failure shows when the process is shared. */
const SHARED_STDERR_LINES = 100;

/** What {@linkcode runCall} needs. */
export interface RunCallDeps {
  /** Serves what scripts ask. */
  readonly host: Host;
  /** Workspace folders where the client has none. */
  readonly configuredRoots: readonly string[];
  /** Takes secrets out of what goes to logs and error texts. */
  redact(text: string): string;
}

/**
 * Has a live script do one call, and serves what it asks meanwhile. Ends at the answer, or when the context aborts:
 * then the script is told, and this throws the reason.
 */
export async function runCall(call: ScriptCall, deps: RunCallDeps): Promise<ToolResult> {
  const { ctx, id, live, request } = call;
  const { tool } = live.plan;
  ctx.signal.throwIfAborted();
  ctx.confined?.({ ...live.isolation });
  const progress = new Progress((update) => ctx.caller.progress(update));
  const notes = new ScriptNotes({ caller: ctx.caller, progress, logger: tool.name, redact: deps.redact });
  // Whatever the script has asked for and not waited for ends with its call.
  const over = new AbortController();
  const scope = {
    tool,
    ctx: withSignal(ctx, AbortSignal.any([ctx.signal, over.signal])),
    host: deps.host,
    progress,
    configuredRoots: deps.configuredRoots,
  };
  const stderr: string[] = [];
  const deniedBefore = new Set(live.command.denied?.());
  try {
    const params = executeParams({ tool, request, ctx }, live.place);
    const outcome = await orAborted(
      live.talk.execute(id, params, {
        request: (method, given, key) => serveHostRequest({ method, params: given, key }, scope),
        notification: (method, given) => notes.notification(method, given),
        noise: (line) => notes.noise(line),
        stderr: (line) => {
          notes.stderr(line);
          if (call.shared && stderr.push(line) > SHARED_STDERR_LINES) stderr.shift();
        },
      }),
      call,
    );
    const result = await outcomeResult(outcome, {
      tool: tool.name,
      id,
      request,
      // What a shared process wrote during other calls is nobody's business here.
      stderrTail: () => call.shared ? stderr.join("\n") : live.process.stderrTail(),
      redact: deps.redact,
      explain: (exit) => live.command.explain(exit),
    });
    const denied = live.command.denied?.().filter((access) => !deniedBefore.has(access)) ?? [];
    return withIsolation(result, live, { denied });
  } finally {
    notes.close();
    over.abort(
      new SkillzError("cancelled", `Cannot go on: the call of "${tool.name}" that asked for it has ended`),
    );
  }
}

/** Says what was in force, what was denied, and what the sandbox has to warn of. */
function withIsolation(
  result: ToolResult,
  { isolation, command }: LiveScript,
  { denied }: { denied: readonly string[] },
): ToolResult {
  const { warning } = command;
  // What the server says about a call is not for the script to say.
  const said = Object.entries(result._meta ?? {}).filter(([name]) => !name.startsWith("skillz/"));
  const _meta = {
    ...Object.fromEntries(said),
    "skillz/isolation": { ...isolation } as JsonObject,
    ...(denied.length > 0 ? { "skillz/denied": [...denied] } : {}),
  };
  if (warning === undefined) return { ...result, _meta };
  return {
    ...result,
    content: [...result.content, textBlock(`Warning: ${warning}`)],
    _meta: { ..._meta, "skillz/warning": warning },
  };
}

async function orAborted(
  outcome: Promise<ScriptOutcome>,
  { id, ctx, live }: ScriptCall,
): Promise<ScriptOutcome> {
  const { signal } = ctx;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => {
    live.talk.cancel(id, errorText(signal.reason));
    aborted.reject(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([outcome, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
