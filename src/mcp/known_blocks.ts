import { type ContentBlock, textBlock, type ToolResult } from "../base/tool_result.ts";

/** Since which version of the protocol clients know a kind of block; the others they have always known. */
const SINCE: Readonly<Record<string, string>> = { audio: "2025-03-26", resource_link: "2025-06-18" };

/**
 * The result with blocks that clients of a protocol version know: the whole answer is lost on one that meets a kind
 * that it does not know. Without a version nothing is changed.
 */
export function withKnownBlocks(result: ToolResult, version: string | undefined): ToolResult {
  const isKnown = ({ type }: ContentBlock) => version === undefined || (SINCE[type] ?? "") <= version;
  if (result.content.every(isKnown)) return result;
  return { ...result, content: result.content.map((block) => isKnown(block) ? block : asText(block)) };
}

function asText(block: ContentBlock): ContentBlock {
  if (block.type === "resource_link") return textBlock(`${String(block.name)}: ${String(block.uri)}`);
  return textBlock(
    `(${block.type}, ${String(block.mimeType)}, which this client's protocol version does not know)`,
  );
}
