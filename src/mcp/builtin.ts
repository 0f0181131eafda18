import type { z } from "zod";
import type { JsonObject } from "../base/json.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { CallContext } from "../run/call_context.ts";
import type { ToolAnnotations } from "../tools/tool.ts";

/** The virtual skill that a built-in tool belongs to; `always` is listed at all times. */
export type BuiltinSkill = "always" | "dev" | "sys" | "memory";

/** A tool of the server itself. One file in `mcp/builtins/` each, made by a function that takes just what it needs. */
export interface Builtin<Input extends z.ZodType = z.ZodType> {
  /** Unique among all tools; no made tool can take it. */
  readonly name: string;
  /** Shown to people instead of the name. */
  readonly title: string;
  /** Tells models what it does and when to call it. */
  readonly description: string;
  readonly skill: BuiltinSkill;
  /** Checks arguments; also the source of the published input schema. */
  readonly input: Input;
  /** The published schema of `structuredContent`; absent for a tool that hands another's result on. */
  readonly output?: z.ZodType;
  readonly annotations: ToolAnnotations;
  /** Runs with arguments that passed `input`. `SkillzError` becomes an `isError` result in one place above. */
  run(args: z.output<Input>, ctx: CallContext): Promise<ToolResult>;
}

/** A built-in tool as clients see it. */
export interface BuiltinListing {
  /** Identifies it in calls. */
  name: string;
  /** Shown to people. */
  title: string;
  /** Shown to models. */
  description: string;
  /** Made from the zod schema of its arguments. */
  inputSchema: JsonObject;
  /** Made from the zod schema of its `structuredContent`. */
  outputSchema?: JsonObject;
  annotations: ToolAnnotations;
}
