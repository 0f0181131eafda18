import type { JsonObject, JsonValue } from "../base/json.ts";
import type { ContentBlock, ToolResult } from "../base/tool_result.ts";
import { redactStrings } from "./script/redact_strings.ts";

/**
 * A result without secrets where nobody expects them: in its metadata, and in all of a failure, which often quotes more than
 * its author knew. What a tool answers when it succeeds is its own business.
 */
export function scrubResult(result: ToolResult, redact: (text: string) => string): ToolResult {
  const { content, structuredContent, isError, _meta } = result;
  const clean = (value: JsonObject) => redactStrings(value, redact) as JsonObject;
  return {
    ...result,
    ...(_meta === undefined ? {} : { _meta: clean(_meta) }),
    ...(isError !== true ? {} : {
      content: redactStrings(content as unknown as JsonValue, redact) as unknown as ContentBlock[],
      ...(structuredContent === undefined ? {} : { structuredContent: clean(structuredContent) }),
    }),
  };
}
