import type { Tool } from "../../tools/tool.ts";
import { checkPipeline } from "./check_pipeline.ts";
import type { GetTool } from "./known_tool.ts";

/**
 * What keeps a registered pipeline from working now, one line each: a tool that it uses may have been removed or
 * changed since it was made. Empty when all is well, and for tools that are no pipelines.
 */
export function pipelineProblems(tool: Pick<Tool, "name" | "manifest">, getTool: GetTool): string[] {
  const { tool_type, pipeline_steps = [], output, input_schema } = tool.manifest;
  if (tool_type !== "pipeline") return [];
  return checkPipeline(
    { name: tool.name, steps: pipeline_steps, input_schema, ...(output === undefined ? {} : { output }) },
    getTool,
  );
}
