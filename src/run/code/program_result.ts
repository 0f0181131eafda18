import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { errorResult, okResult, resultText, type ToolResult } from "../../base/tool_result.ts";
import type { CodeSession } from "./code_session.ts";
import type { CodeFault } from "./type_check.ts";

/** The answer for code that was not run because its types are wrong. */
export function faultsResult(faults: readonly CodeFault[]): ToolResult {
  const lines = faults.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`);
  return errorResult(`Nothing was run, the code does not type-check:\n${lines.join("\n")}`, {
    success: false,
    faults: faults.map((fault) => ({ ...fault })),
  });
}

/** How a failure of the script begins that runs programs. */
const OF_THE_TOOL = /^Tool "execute_code" failed: the script/;

/** The answer for a program that was ended from outside. */
export function endedResult(reason: string, session: CodeSession): ToolResult {
  const text = [session.printed.trimEnd(), reason].filter((part) => part !== "").join("\n");
  return errorResult(withSummary(text, session), {
    ...counts(session),
    success: false,
    output: session.printed,
    error: { message: reason },
  });
}

/** What {@linkcode programResult} must know besides the result. */
export interface ProgramResultOptions {
  readonly session: CodeSession;
  /** What to do about an access that was denied; undefined when the message tells of none. */
  explain(message: string): Promise<string | undefined>;
}

/** The program's answer as the client gets it: what it printed, what it returned, and what stayed behind. */
export async function programResult(result: ToolResult, options: ProgramResultOptions): Promise<ToolResult> {
  const { session } = options;
  const meta = result._meta === undefined ? {} : { _meta: result._meta };
  const answer = result.structuredContent;
  if (result.isError || !isJsonObject(answer)) {
    return { ...endedResult(resultText(result).replace(OF_THE_TOOL, "The program"), session), ...meta };
  }
  const printed = typeof answer.printed === "string" ? answer.printed : "";
  const output = Number(answer.left_out) > 0
    ? `${printed}\n… ${Number(answer.left_out)} more characters were printed and left out`
    : printed;
  const structured: JsonObject = { ...counts(session), success: answer.error === undefined, output };
  if (answer.value !== undefined) structured.result = answer.value;
  const parts = [output.trimEnd(), asText(answer.value)];
  if (isJsonObject(answer.error)) {
    const hint = await options.explain(String(answer.error.message));
    structured.error = hint === undefined ? answer.error : { ...answer.error, hint };
    parts.push(errorLine(answer.error), hint ?? "");
  }
  const warning = result._meta?.["skillz/warning"];
  if (typeof warning === "string") parts.push(`Warning: ${warning}`);
  const text = withSummary(parts.filter((part) => part !== "").join("\n"), session);
  return { ...(answer.error === undefined ? okResult : errorResult)(text, structured), ...meta };
}

function errorLine(error: JsonObject): string {
  const place = typeof error.line === "number"
    ? ` (line ${error.line}${typeof error.column === "number" ? `, column ${error.column}` : ""})`
    : "";
  return `${String(error.message)}${place}`;
}

function asText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function counts(session: CodeSession): JsonObject {
  return { tool_calls: session.calls, tool_bytes: session.bytes };
}

/** The text, and how much stayed out of the conversation. */
function withSummary(text: string, { calls, bytes }: CodeSession): string {
  if (calls === 0) return text === "" ? "The code printed and returned nothing" : text;
  const summary = `[${calls} tool ${
    calls === 1 ? "call" : "calls"
  } returned ${bytes} bytes that stayed out of the conversation]`;
  return text === "" ? summary : `${text}\n${summary}`;
}
