import type { JsonObject } from "../base/json.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { Tool } from "../tools/tool.ts";
import type { CallContext } from "./call_context.ts";

/** What is asked of a tool: a call, one of its prompts, or one of its resources. */
export type ToolRequest =
  | { readonly kind: "tool"; readonly arguments: JsonObject }
  | { readonly kind: "prompt"; readonly name: string; readonly arguments: JsonObject }
  | { readonly kind: "resource"; readonly uri: string; readonly variables: JsonObject };

/**
 * Runs tools of one type. Arguments are validated already; depth, deadline, and policy are checked already.
 * The tool's own failure is a result with `isError`; throws `SkillzError` only for misuse or a fault of the system.
 * For prompts and resources the answer is found in `structuredContent`, as the script gave it.
 */
export interface Runner extends AsyncDisposable {
  /** Runs it once, under the call's signal and deadline. */
  run(tool: Tool, request: ToolRequest, ctx: CallContext): Promise<ToolResult>;
  /** Throws why a tool could not be started, as far as that can be told without starting it. */
  check?(tool: Tool, ctx: CallContext): Promise<void>;
  /** Drops whatever is kept warm for a tool (all of them when none is named). */
  forget?(name?: string): Promise<void>;
}

/** Options of {@linkcode CallTool}. */
export interface CallToolOptions {
  /** An earlier version of the tool. */
  version?: string;
}

/**
 * Calls any tool by name – made by users or built in – with checks, policy, limits, audit. The one way to run a tool.
 * Throws `SkillzError("not_found")` for an unknown name; every other failure of the call is an `isError` result.
 */
export type CallTool = (
  name: string,
  args: JsonObject,
  ctx: CallContext,
  options?: CallToolOptions,
) => Promise<ToolResult>;
