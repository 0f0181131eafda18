import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { Tool, ToolType } from "../tools/tool.ts";
import { argumentShape, type AuditSink } from "./audit.ts";
import type { CallContext } from "./call_context.ts";
import { argumentObject, guardDepth } from "./call_guard.ts";
import { checkResult, type CheckSchema } from "./check_result.ts";
import { deriveCaller } from "./child_context.ts";
import { failureCode, failureResult } from "./failure_result.ts";
import type { Runner, ToolRequest } from "./runner.ts";
import type { ServiceLinks } from "./service_links.ts";
import { scrubResult } from "./scrub_result.ts";
import { TimeLimit } from "./time_limit.ts";

/** What {@linkcode createRunTool} needs. */
export interface RunToolDeps {
  /** One runner for each type of tool. */
  readonly runners: Readonly<Record<ToolType, Runner>>;
  /** Checks values against a tool's schemas. */
  readonly checkSchema: CheckSchema;
  /** Throws `SkillzError("denied")` when the policy does not let this tool run. */
  readonly authorize?: (tool: Tool, ctx: CallContext) => Promise<void>;
  /** Knows the services that tools require. */
  readonly services?: ServiceLinks;
  /** Takes a record of each call. */
  readonly audit?: AuditSink;
  /** Takes secrets out of a text. */
  redact?(text: string): string;
}

/**
 * Runs exactly this tool – also one that is not in the registry yet – with every check, limit and record. Never throws:
 * every failure is a result with `isError`.
 */
export type RunTool = (tool: Tool, request: ToolRequest, ctx: CallContext) => Promise<ToolResult>;

/** Makes the one way to run a made tool. */
export function createRunTool(deps: RunToolDeps): RunTool {
  return async (tool, request, ctx) => {
    const started = performance.now();
    let outcome = "ok";
    let result: ToolResult;
    let inForce: JsonObject | undefined;
    try {
      result = await runChecked(tool, request, { deps, ctx, confined: (isolation) => inForce = isolation });
      if (result.isError === true) outcome = "error";
    } catch (error) {
      outcome = failureCode(error, ctx.signal);
      result = failureResult(error, { tool: tool.name, signal: ctx.signal });
      // What ran into its time limit was confined too.
      if (inForce !== undefined) result = { ...result, _meta: { "skillz/isolation": inForce } };
    }
    if (deps.redact) result = scrubResult(result, deps.redact);
    const isolation = result._meta?.["skillz/isolation"];
    const denied = result._meta?.["skillz/denied"];
    deps.audit?.record({
      ...callerFacts(ctx),
      tool: tool.name,
      version: tool.manifest.version,
      hash: tool.hash,
      ...(tool.manifest.permissions === undefined
        ? {}
        : { permissions: { ...tool.manifest.permissions } as JsonObject }),
      arguments: argumentShape(request.kind === "resource" ? request.variables : request.arguments),
      outcome,
      durationMs: performance.now() - started,
      ...(isJsonObject(isolation) ? { isolation } : {}),
      ...(Array.isArray(denied) ? { denied: denied.map(String) } : {}),
    });
    return result;
  };
}

/** What the audit says about who called. */
export function callerFacts(
  ctx: CallContext,
): { sessionId: string; client?: string; callId: string; chain: readonly string[] } {
  const { sessionId, client } = ctx.caller;
  return { sessionId, ...(client === undefined ? {} : { client }), callId: ctx.callId, chain: ctx.chain };
}

async function runChecked(
  tool: Tool,
  request: ToolRequest,
  { deps, ctx, confined }: { deps: RunToolDeps; ctx: CallContext; confined(isolation: JsonObject): void },
): Promise<ToolResult> {
  const { manifest } = tool;
  ctx.signal.throwIfAborted();
  guardDepth(tool.name, ctx);
  if (manifest.disabled) {
    throw new SkillzError("unavailable", `Cannot run tool "${tool.name}": it is disabled`, {
      hint: "Set disabled to false in its manifest.json",
    });
  }
  if (request.kind === "tool") await checkArguments(tool, request.arguments, deps.checkSchema);
  await deps.authorize?.(tool, ctx);
  using limit = new TimeLimit(ctx, { tool: tool.name, timeoutMs: manifest.limits.timeout_ms });
  limit.signal.throwIfAborted();
  const limited = limitedContext({ ...ctx, confined }, limit);
  if (manifest.requires_services.length > 0) {
    await deps.services?.resolve(manifest.requires_services, { signal: limit.signal });
  }
  const running = deps.runners[manifest.tool_type].run(tool, request, limited);
  const result = await orAborted(running, limit.signal);
  return request.kind === "tool" ? await checkResult(result, { tool, check: deps.checkSchema }) : result;
}

async function checkArguments(tool: Tool, given: JsonObject, check: CheckSchema): Promise<void> {
  const faults = await check(tool, "input", argumentObject(tool.name, given));
  if (faults.length === 0) return;
  throw new SkillzError(
    "invalid_input",
    `Cannot call "${tool.name}": its arguments do not match input_schema: ${faults.join("; ")}`,
    { data: { faults } },
  );
}

/** The context with the tool's own time limit; its clock stands still while a question is with the client. */
function limitedContext(ctx: CallContext, limit: TimeLimit): CallContext {
  return {
    ...ctx,
    signal: limit.signal,
    caller: deriveCaller(ctx.caller, {
      ask: (question, signal) => limit.pausedWhile(() => ctx.caller.ask(question, signal)),
    }),
    get deadline() {
      return limit.deadline;
    },
  };
}

/** The result, or the reason of the abort as soon as it comes: no runner can make a caller wait longer. */
async function orAborted(running: Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  running.catch(() => {}); // a runner that ends after the abort has nobody to tell
  try {
    return await Promise.race([running, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
