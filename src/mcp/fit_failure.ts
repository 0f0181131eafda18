import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { ToolResult } from "../base/tool_result.ts";

/** Where in `_meta` the data of a failure lies that its tool's output schema has no place for. */
const FAILURE_KEY = "skillz/failure";

/**
 * A failed result whose data does not break its tool's output schema: what does goes to `_meta`. The protocol asks it
 * of all structured content, and clients (the TypeScript SDK 1.x) throw the whole answer away otherwise, with the text
 * that says what to do.
 */
export async function fitFailure(
  result: ToolResult,
  faultsOf: (data: JsonObject) => Promise<readonly string[]>,
): Promise<ToolResult> {
  const { structuredContent, ...rest } = result;
  if (result.isError !== true || structuredContent === undefined) return result;
  if ((await faultsOf(structuredContent)).length === 0) return result;
  return { ...rest, _meta: { ...rest._meta, [FAILURE_KEY]: structuredContent } };
}

/** What a failed result says as data, wherever it lies. */
export function failureData({ structuredContent, _meta }: ToolResult): JsonObject | undefined {
  const moved = _meta?.[FAILURE_KEY];
  return structuredContent ?? (isJsonObject(moved) ? moved : undefined);
}
