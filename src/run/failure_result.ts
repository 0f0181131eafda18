import { errorText, SkillzError } from "../base/errors.ts";
import { errorResult, type ToolResult } from "../base/tool_result.ts";

/** The code of whatever was thrown while a tool ran. */
export function failureCode(error: unknown, signal: AbortSignal): SkillzError["code"] {
  if (error instanceof SkillzError) return error.code;
  return signal.aborted ? "cancelled" : "internal";
}

/** A failed result that says what was thrown, as text and as data. */
export function failureResult(error: unknown, options: { tool: string; signal: AbortSignal }): ToolResult {
  const code = failureCode(error, options.signal);
  // An abort without a reason of ours is the client's doing.
  const text = error instanceof SkillzError || code !== "cancelled"
    ? errorText(error)
    : `Cannot finish tool "${options.tool}": the call was cancelled`;
  const data = error instanceof SkillzError ? error.data : undefined;
  return errorResult(text, { error: { code, message: text, ...(data === undefined ? {} : { data }) } });
}
