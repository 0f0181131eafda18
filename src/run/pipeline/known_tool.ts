import type { JsonObject } from "../../base/json.ts";
import type { PipelineStep, ToolAnnotations } from "../../tools/tool.ts";

/** What a pipeline must know of a tool that it uses; a manifest has it all, a built-in tool's listing nearly. */
export interface KnownTool {
  /** What it takes. */
  readonly input_schema: JsonObject;
  /** What its data look like, if it says so. */
  readonly output_schema?: JsonObject;
  /** What it says of itself. */
  readonly annotations?: ToolAnnotations;
  /** Present when it is a pipeline itself. */
  readonly pipeline_steps?: readonly PipelineStep[];
}

/** Finds any tool by name, made or built in; `undefined` when there is none. */
export type GetTool = (name: string) => KnownTool | undefined;
