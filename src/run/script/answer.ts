import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import {
  type ContentBlock,
  errorResult,
  okResult,
  textBlock,
  type ToolResult,
} from "../../base/tool_result.ts";
import type { ToolRequest } from "../runner.ts";
import { plainValue } from "./message.ts";

/**
 * The result of a tool from what its script answered: an MCP result passes through, an object becomes data and text,
 * anything else becomes text. Texts keep the digits of numbers as the script wrote them.
 */
export function toolAnswer(result: JsonValue): ToolResult {
  if (isMcpResult(result)) return mcpResult(result);
  if (saysFailed(result)) return claimedFailure(result);
  if (typeof result === "string") return okResult(result);
  const text = JSON.stringify(result);
  return isJsonObject(result) ? okResult(text, plainValue(result) as JsonObject) : okResult(text);
}

/**
 * What a script answered to the request it got. For prompts and resources the answer is in `structuredContent`, in MCP's
 * shape: a text alone becomes one message or one content.
 */
export function requestAnswer(result: JsonValue, request: ToolRequest): ToolResult {
  switch (request.kind) {
    case "tool":
      return toolAnswer(result);
    case "prompt":
      return promptAnswer(result);
    case "resource":
      return resourceAnswer(result, request.uri);
  }
}

/** A failed result from a JSON-RPC error that a script answered. */
export function failureAnswer(error: JsonObject): ToolResult {
  const message = typeof error.message === "string" && error.message !== ""
    ? error.message
    : "The script answered an error without a message";
  const code = error.code === undefined ? "" : ` (code ${JSON.stringify(error.code)})`;
  const hasData = error.data !== undefined && error.data !== null;
  const data = hasData ? `\n${typeof error.data === "string" ? error.data : JSON.stringify(error.data)}` : "";
  return errorResult(`${message}${code}${data}`, { error: plainValue(error) });
}

function promptAnswer(result: JsonValue): ToolResult {
  if (isJsonObject(result) && Array.isArray(result.messages)) {
    return { content: [], structuredContent: plainValue(result) as JsonObject };
  }
  if (saysFailed(result)) return claimedFailure(result);
  const text = typeof result === "string" ? result : JSON.stringify(result);
  const message = { role: "user", content: { type: "text", text } };
  return { content: [], structuredContent: { messages: [message] } };
}

function resourceAnswer(result: JsonValue, uri: string): ToolResult {
  if (saysFailed(result)) return claimedFailure(result);
  if (isJsonObject(result) && Array.isArray(result.contents)) {
    return { content: [], structuredContent: plainValue(result) as JsonObject };
  }
  const isContent = isJsonObject(result) &&
    (typeof result.text === "string" || typeof result.blob === "string");
  if (isContent) return { content: [], structuredContent: { contents: [{ uri, ...result }] } };
  const content = typeof result === "string"
    ? { uri, text: result }
    : { uri, mimeType: "application/json", text: JSON.stringify(result) };
  return { content: [], structuredContent: { contents: [content] } };
}

/** A failure never counts as success because the rest of the result is odd. */
function saysFailed(value: JsonValue): boolean {
  return isJsonObject(value) && value.isError === true;
}

function claimedFailure(result: JsonValue): ToolResult {
  if (isMcpResult(result)) return mcpResult(result);
  const { isError: _said, ...rest } = result as JsonObject;
  const bare = Object.keys(rest).length === 0;
  return errorResult(bare ? UNSAID : JSON.stringify(rest), plainValue(rest) as JsonObject);
}

/** A result in MCP's own shape. */
interface McpResult extends JsonObject {
  structuredContent?: JsonObject;
}

/** Whether it is a result in MCP's own shape: content blocks, or data with no content at all. */
function isMcpResult(value: JsonValue): value is McpResult {
  if (!isJsonObject(value)) return false;
  if (value.isError !== undefined && typeof value.isError !== "boolean") return false;
  if (value.structuredContent !== undefined && !isJsonObject(value.structuredContent)) return false;
  if (value._meta !== undefined && !isJsonObject(value._meta)) return false;
  if (Array.isArray(value.content)) return value.content.every(isBlock);
  return value.content === undefined && value.structuredContent !== undefined;
}

/** A failure must tell something, or the model that called can do nothing about it. */
const UNSAID = "The tool reported a failure and said nothing about it";

const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
};

/** Whether clients can read it as a content block: one bad block makes them refuse the whole result. */
function isBlock(block: JsonValue): boolean {
  if (!isJsonObject(block) || typeof block.type !== "string") return false;
  if (block.type === "resource") {
    return isJsonObject(block.resource) && typeof block.resource.uri === "string";
  }
  const fields = Object.hasOwn(BLOCK_FIELDS, block.type) ? BLOCK_FIELDS[block.type] : undefined;
  return fields !== undefined && fields.every((field) => typeof block[field] === "string");
}

function mcpResult(value: JsonObject): ToolResult {
  const { content, structuredContent, isError, _meta } = value;
  const blocks = Array.isArray(content) ? plainValue(content) as unknown as ContentBlock[] : undefined;
  const told = structuredContent === undefined ? UNSAID : JSON.stringify(structuredContent);
  return {
    content: blocks === undefined || isError === true && blocks.length === 0 ? [textBlock(told)] : blocks,
    ...(structuredContent === undefined
      ? {}
      : { structuredContent: plainValue(structuredContent) as JsonObject }),
    ...(isError === undefined ? {} : { isError: isError === true }),
    ...(_meta === undefined ? {} : { _meta: plainValue(_meta) as JsonObject }),
  };
}
