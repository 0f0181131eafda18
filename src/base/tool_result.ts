import type { JsonObject } from "./json.ts";

/** One block of a result's content, as in MCP (text, image, audio, resource, resource_link). */
export interface ContentBlock {
  /** The kind of block. */
  type: string;
  /** What the kind of block has besides. */
  [key: string]: unknown;
}

/**
 * What a tool answers; the shape of MCP's `CallToolResult`, so that a result passes through every layer unchanged.
 * A tool's failure is a value of this type with `isError`, never an exception.
 */
export interface ToolResult {
  /** Blocks for the reader. */
  content: ContentBlock[];
  /** The same as data. */
  structuredContent?: JsonObject;
  /** Whether the call failed. */
  isError?: boolean;
  /** Metadata, e.g. `skillz/isolation`. */
  _meta?: JsonObject;
}

/** Wraps a text for a result. */
export function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

/** A successful result with a text and, if given, the same as data. */
export function okResult(text: string, structured?: JsonObject): ToolResult {
  return { content: [textBlock(text)], ...(structured ? { structuredContent: structured } : {}) };
}

/** A failed result whose text says what happened and what to do. */
export function errorResult(text: string, structured?: JsonObject): ToolResult {
  return {
    content: [textBlock(text)],
    ...(structured ? { structuredContent: structured } : {}),
    isError: true,
  };
}

/** All text blocks of a result, joined by newlines. */
export function resultText(result: ToolResult): string {
  return result.content.filter((b) => b.type === "text").map((b) => String(b.text)).join("\n");
}
