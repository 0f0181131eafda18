import type { JsonObject } from "../../base/json.ts";
import type { PipelineStep, ToolAnnotations } from "../../tools/tool.ts";

/** What a pipeline must know of a tool that it uses; a manifest has it all, a built-in tool's listing nearly. */
export interface KnownTool {
  readonly input_schema: JsonObject;
  readonly output_schema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** Present when it is a pipeline itself. */
  readonly pipeline_steps?: readonly PipelineStep[];
}

/** Finds any tool by name, made or built in; `undefined` when there is none. */
export type GetTool = (name: string) => KnownTool | undefined;
