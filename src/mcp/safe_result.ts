import { isSpecType } from "@modelcontextprotocol/server";
import { isJsonObject } from "../base/json.ts";
import { type ContentBlock, textBlock, type ToolResult } from "../base/tool_result.ts";

/** What a block of each kind can't do without. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
  resource: ["resource"],
};

/**
 * A result whose blocks are all as MCP wants them. One odd block of a tool would make clients refuse the whole
 * answer; here it loses its odd extras, or becomes a text that shows it.
 */
export function safeResult(result: ToolResult): ToolResult {
  if (result.content.every(isBlock)) return result;
  return {
    ...result,
    content: result.content.map((block) => isBlock(block) ? block : mended(block)),
  };
}

/** The block without annotations, sizes and the like if that makes it readable, else a text. */
function mended(block: ContentBlock): ContentBlock {
  const needed = Object.hasOwn(NEEDED, block.type) ? NEEDED[block.type] ?? [] : [];
  const bare = { type: block.type, ...Object.fromEntries(needed.map((key) => [key, block[key]])) };
  return isBlock(bare) ? bare : textBlock(JSON.stringify(block));
}

function isBlock(block: ContentBlock): boolean {
  // The common case, without a walk through the schema.
  if (block.type === "text" && typeof block.text === "string" && Object.keys(block).length === 2) return true;
  return hasContent(block) && isSpecType.ContentBlock(block);
}

/** What the schema does not ask, and clients do. */
function hasContent(block: ContentBlock): boolean {
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
