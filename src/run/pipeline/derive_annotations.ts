import type { PipelineStep, ToolAnnotations } from "../../tools/tool.ts";
import type { GetTool } from "./known_tool.ts";

/**
 * What a pipeline does, from what its steps' tools say of themselves, with MCP's defaults for what they do not say:
 * it only reads if all do, may destroy if any may, and reaches outside if any does.
 */
export function deriveAnnotations(steps: readonly PipelineStep[], getTool: GetTool): ToolAnnotations {
  const all = toolNames(steps).map((name) => getTool(name)?.annotations ?? {});
  const readOnlyHint = all.every((hints) => hints.readOnlyHint === true);
  return {
    readOnlyHint,
    destructiveHint: all.some((hints) => hints.readOnlyHint !== true && hints.destructiveHint !== false),
    idempotentHint: all.every((hints) => hints.readOnlyHint === true || hints.idempotentHint === true),
    openWorldHint: all.some((hints) => hints.openWorldHint !== false),
  };
}

/** Names of all tools that steps call directly, each once. */
export function toolNames(steps: readonly PipelineStep[]): string[] {
  const names = steps.flatMap((step) => [
    ...(step.tool === undefined ? [] : [step.tool]),
    ...(step.parallel ? toolNames(step.parallel) : []),
  ]);
  return [...new Set(names)];
}
