import { isJsonObject } from "../base/json.ts";
import { type ContentBlock, textBlock, type ToolResult } from "../base/tool_result.ts";

/**
 * A result whose blocks are all as MCP wants them. One odd block of a tool would make clients refuse the whole
 * answer; here it becomes a text that shows it.
 */
export function safeResult(result: ToolResult): ToolResult {
  if (result.content.every(isBlock)) return result;
  return {
    ...result,
    content: result.content.map((block) => isBlock(block) ? block : textBlock(JSON.stringify(block))),
  };
}

function isBlock(block: ContentBlock): boolean {
  switch (block.type) {
    case "text":
      return typeof block.text === "string";
    case "image":
    case "audio":
      return isBase64(block.data) && typeof block.mimeType === "string";
    case "resource_link":
      return typeof block.uri === "string" && typeof block.name === "string";
    case "resource":
      return isContents(block.resource);
    default:
      return false;
  }
}

function isContents(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.uri !== "string") return false;
  return typeof value.text === "string" || isBase64(value.blob);
}

function isBase64(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    atob(value);
    return true;
  } catch {
    return false;
  }
}
