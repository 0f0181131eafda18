import { isJsonObject, type JsonValue } from "../base/json.ts";
import { errorResult, textBlock, type ToolResult } from "../base/tool_result.ts";
import type { Tool } from "../tools/tool.ts";

/** Faults of a value against a tool's schema, one line each; empty when it fits. */
export type CheckSchema = (
  tool: Tool,
  side: "input" | "output",
  value: JsonValue,
) => Promise<string[]> | string[];

/**
 * Holds a result against what the tool's manifest promises: `output_schema` and `limits.output_bytes`. One that breaks
 * it becomes a failure that says so and keeps the text.
 */
export async function checkResult(
  result: ToolResult,
  { tool, check }: { tool: Tool; check: CheckSchema },
): Promise<ToolResult> {
  const { limits, output_schema: schema } = tool.manifest;
  if (isLarger(result, limits.output_bytes)) {
    return errorResult(
      `Tool "${tool.name}" failed: its result is longer than its limit, limits.output_bytes is ${limits.output_bytes}. ` +
        "Answer with less, write the rest to a file, or raise limits.output_bytes",
    );
  }
  if (schema === undefined || result.isError === true) return result;
  const faults = result.structuredContent === undefined
    ? ["it holds no object"]
    : await check(tool, "output", result.structuredContent);
  if (faults.length === 0) return result;
  const { structuredContent: _dropped, ...rest } = result;
  const text = `Tool "${tool.name}" failed: its result does not match output_schema: ${faults.join("; ")}`;
  return { ...rest, content: [textBlock(text), ...result.content], isError: true };
}

/** Whether a value holds more than `limit` characters; stops to count there. */
function isLarger(result: ToolResult, limit: number): boolean {
  let left = limit;
  const walk = (value: unknown): void => {
    if (left < 0) return;
    if (typeof value === "string") left -= value.length;
    else if (Array.isArray(value)) value.forEach(walk);
    else if (isJsonObject(value)) {
      for (const [key, item] of Object.entries(value)) {
        left -= key.length + 4;
        walk(item);
      }
    } else left -= 4;
  };
  // Text and data are the same thing twice, so each has the whole limit. What surrounds a text counts for nothing.
  for (const block of result.content) walk(block.type === "text" ? block.text : block);
  const textFits = left >= 0;
  left = limit;
  walk(result.structuredContent);
  return !textFits || left < 0;
}
