import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../base/json.ts";

/** Id of a JSON-RPC request as MCP allows it. */
export type FrameId = string | number;

/** Something that is sent to the client because its message could not be taken. */
export interface FrameError {
  readonly jsonrpc: "2.0";
  /** `null` where the message's own id is unknown. */
  readonly id: FrameId | null;
  /** Code and message of JSON-RPC. */
  readonly error: { readonly code: number; readonly message: string };
}

/** What a line holds. */
export type Frame =
  | { readonly kind: "request"; readonly id: FrameId; readonly method: string; readonly message: JsonObject }
  | { readonly kind: "notification"; readonly method: string; readonly message: JsonObject }
  | { readonly kind: "response"; readonly message: JsonObject }
  | { readonly kind: "batch"; readonly items: readonly JsonValue[] }
  | { readonly kind: "invalid"; readonly reply: FrameError };

/** JSON-RPC codes for messages that never reach a method. */
const FRAME_ERRORS = { parse: -32700, invalidRequest: -32600, invalidParams: -32602 } as const;

/** Parses a line. */
export function parseFrame(text: string): Frame {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid(null, { code: FRAME_ERRORS.parse, message: "Cannot read message: the line is not JSON" });
  }
  return Array.isArray(value) ? { kind: "batch", items: value } : readFrame(value);
}

/** Sorts one parsed message; inside a batch too. */
export function readFrame(value: JsonValue): Frame {
  if (!isJsonObject(value)) return malformed(null, `${withArticle(value)} is not a message, send an object`);
  const id = isFrameId(value.id) ? value.id : null;
  if (value.jsonrpc !== "2.0") return malformed(id, `jsonrpc must be "2.0"`);
  if (value.id !== undefined && id === null) return malformed(null, "id must be a string or a safe integer");
  if (value.method === undefined) return readResponse(value, id);
  const { method, params } = value;
  if (typeof method !== "string") {
    return malformed(id, `method is ${withArticle(method)}, it must be a string`);
  }
  if (params !== undefined && !isJsonObject(params)) {
    const message = `Cannot read ${method}: params is ${withArticle(params)}, it must be an object`;
    return invalid(id, { code: FRAME_ERRORS.invalidParams, message });
  }
  if (id === null) return { kind: "notification", method, message: value };
  return { kind: "request", id, method, message: value };
}

/** An error answer. */
export function invalid(id: FrameId | null, error: FrameError["error"]): Frame & { kind: "invalid" } {
  return { kind: "invalid", reply: { jsonrpc: "2.0", id, error } };
}

function readResponse(value: JsonObject, id: FrameId | null): Frame {
  const answered = isJsonObject(value.result) || isJsonObject(value.error);
  if (id === null || !answered) {
    return malformed(id, "it has neither a method nor a result or error with an id");
  }
  return { kind: "response", message: value };
}

/** A message that is JSON and yet none of JSON-RPC's. */
export function malformed(id: FrameId | null, why: string): Frame & { kind: "invalid" } {
  return invalid(id, { code: FRAME_ERRORS.invalidRequest, message: `Cannot read message: ${why}` });
}

function withArticle(value: JsonValue): string {
  const type = jsonTypeOf(value);
  return type === "null" ? type : `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function isFrameId(value: JsonValue | undefined): value is FrameId {
  return typeof value === "string" || Number.isSafeInteger(value);
}
