import { SkillzError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolStore } from "../tools/tool_store.ts";
import { argumentShape, type AuditSink } from "./audit.ts";
import type { CallContext } from "./call_context.ts";
import { argumentObject, guardDepth } from "./call_guard.ts";
import { failureCode, failureResult } from "./failure_result.ts";
import { callerFacts, type RunTool } from "./run_tool.ts";
import { scrubResult } from "./scrub_result.ts";
import type { CallTool } from "./runner.ts";

/** Tools that are not in the store: built-in ones, those of imported servers. They check their own arguments. */
export interface ToolSource {
  /** Whether the name is one of its tools. */
  has(name: string): boolean;
  /** All its tools. */
  names(): readonly string[];
  /** Runs it; what it throws becomes a failed result. */
  call(name: string, args: JsonObject, ctx: CallContext): Promise<ToolResult>;
}

/** What {@linkcode createCallTool} needs. */
export interface CallToolDeps {
  /** Made tools. */
  readonly store: Pick<ToolStore, "get" | "list" | "version" | "broken" | "refresh">;
  /** Built-in tools; no made tool can take their place. */
  readonly builtins: ToolSource;
  /** More tools, asked after the made ones. */
  readonly sources?: readonly ToolSource[];
  /** Names of what is activated and read instead of called. */
  readonly skills?: () => readonly string[];
  /** Runs a made tool. */
  readonly runTool: RunTool;
  /** Takes a record of each call of a tool that is not in the store. */
  readonly audit?: AuditSink;
  /** Takes secrets out of a text. */
  redact?(text: string): string;
}

/** Makes the one way to call a tool by its name. */
export function createCallTool(deps: CallToolDeps): CallTool {
  return async (name, args, ctx, options = {}) => {
    const { version } = options;
    if (deps.builtins.has(name) && version === undefined) {
      return await callSource(deps.builtins, { name, args }, { deps, ctx });
    }
    const tool = deps.store.get(name) ?? await arrived(name, deps);
    if (tool !== undefined) {
      const wanted = version === undefined || version === tool.manifest.version
        ? tool
        : await deps.store.version(name, version);
      return await deps.runTool(wanted, { kind: "tool", arguments: args === undefined ? {} : args }, ctx);
    }
    const source = version === undefined ? deps.sources?.find((each) => each.has(name)) : undefined;
    if (source) return await callSource(source, { name, args }, { deps, ctx });
    throw notFound(name, deps, options);
  };
}

/** A tool whose folder has come since: by hand, or from another server on the same TOOLS_DIR. */
async function arrived(name: string, { store, sources }: CallToolDeps): Promise<Tool | undefined> {
  if (sources?.some((each) => each.has(name))) return undefined;
  await store.refresh(name);
  return store.get(name);
}

async function callSource(
  source: ToolSource,
  { name, args }: { name: string; args: JsonObject },
  { deps, ctx }: { deps: CallToolDeps; ctx: CallContext },
): Promise<ToolResult> {
  const started = performance.now();
  let outcome = "ok";
  let result: ToolResult;
  try {
    ctx.signal.throwIfAborted();
    guardDepth(name, ctx);
    result = await source.call(name, argumentObject(name, args), ctx);
    if (result.isError === true) outcome = "error";
  } catch (error) {
    outcome = failureCode(error, ctx.signal);
    result = failureResult(error, { tool: name, signal: ctx.signal });
  }
  if (deps.redact) result = scrubResult(result, deps.redact);
  deps.audit?.record({
    ...callerFacts(ctx),
    tool: name,
    arguments: argumentShape(args),
    outcome,
    durationMs: performance.now() - started,
  });
  return result;
}

function notFound(name: string, deps: CallToolDeps, { version }: { version?: string }): SkillzError {
  const versioned = deps.builtins.has(name) || (deps.sources?.some((each) => each.has(name)) ?? false);
  if (version !== undefined && versioned) {
    return new SkillzError("not_found", `Cannot call "${name}" ${version}: only made tools have versions`);
  }
  const broken = deps.store.broken().find(({ folder }) => folder === name);
  if (broken !== undefined) {
    return new SkillzError(
      "not_found",
      `Cannot call "${name}": its folder can't be loaded, ${broken.reason}`,
    );
  }
  if (deps.skills?.().includes(name)) {
    return new SkillzError("not_found", `Cannot call "${name}": it is a skill, no tool`, {
      hint: `activate_skill {"name": "${name}"} shows what is in it`,
    });
  }
  const near = nearest(name, [...deps.builtins.names(), ...deps.store.list().map((tool) => tool.name)]);
  return new SkillzError("not_found", `Cannot call "${name}": there is no tool of that name`, {
    hint: near.length > 0 ? `Similar names: ${near.join(", ")}` : "list_tools shows what there is",
  });
}
