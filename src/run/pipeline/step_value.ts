import type { JsonValue } from "../../base/json.ts";
import { resultText, type ToolResult } from "../../base/tool_result.ts";

/** What a reference finds under a name. */
export interface StepValue {
  /** `undefined` when the step did not run. */
  readonly value: JsonValue | undefined;
  /** The blocks of the result, behind `.content`. */
  readonly content?: JsonValue;
  /** Fields that are not there are left out instead of failing. */
  readonly optional?: boolean;
}

/** What references reach in a tool's result: its data, else its text as JSON, else its text. */
export function stepValue(result: ToolResult): StepValue {
  // Content blocks come from JSON and go back to it.
  const content = result.content as JsonValue;
  if (result.structuredContent !== undefined) return { value: result.structuredContent, content };
  return { value: parseText(resultText(result)), content };
}

/** JSON if it is some; but a number that JavaScript can't hold exactly keeps its digits as text. */
function parseText(text: string): JsonValue {
  try {
    const value: JsonValue = JSON.parse(text);
    return typeof value === "number" && String(value) !== text.trim() ? text : value;
  } catch {
    return text;
  }
}
