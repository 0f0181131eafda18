import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { brokenAnswer } from "./_broken_json.ts";
import { isExactNumber, parseExact } from "./json_numbers.ts";

/** Id of a request, echoed exactly: as text, as a number, or as the digits of a number too large for a double. */
export type RpcId = string | number | { readonly rawJSON: string };

/** Error member of an answer. */
export interface RpcError {
  /** A code of JSON-RPC 2.0 or of the application. */
  code: number;
  /** What happened, in one line. */
  message: string;
  /** Details. */
  data?: JsonValue;
}

/** What the far side said: `result` or `error`. */
export type RpcAnswer =
  | { readonly result: JsonValue; readonly error?: undefined }
  | { readonly error: RpcError; readonly result?: undefined };

/** What a line is. */
export type Frame =
  | { readonly kind: "request"; readonly id: RpcId; readonly method: string; readonly params: JsonValue }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonValue }
  | { readonly kind: "response"; readonly id: RpcId | null; readonly answer: RpcAnswer }
  /** Meant to be an answer, and not valid JSON; `id` where it can be told. */
  | { readonly kind: "broken"; readonly id?: RpcId; readonly text: string; readonly reason: string }
  /** Anything else: a print, a log, a JSON value of its own. */
  | { readonly kind: "text"; readonly text: string };

/**
 * Tells what a line is by JSON-RPC 2.0. Scripts are written by hand, so `jsonrpc` may be missing where the rest leaves
 * no doubt (an id beside a result, an error, or a method; a method beside an object of params).
 */
export function classifyLine(line: string): Frame {
  const text: Frame = { kind: "text", text: line };
  if (!/^\s*\{/.test(line)) return text;
  let value: JsonValue;
  try {
    value = parseExact(line);
  } catch (error) {
    return brokenAnswer(line, error) ?? text;
  }
  return isJsonObject(value) ? classifyObject(value) ?? text : text;
}

function classifyObject(value: JsonObject): Frame | undefined {
  const { jsonrpc, id, method, params = {}, error } = value;
  if (jsonrpc !== undefined && jsonrpc !== "2.0") return undefined;
  const has = (name: string) => Object.hasOwn(value, name);
  if (typeof method === "string" && !has("result") && !has("error")) {
    if (isRpcId(id)) return { kind: "request", id, method, params };
    const certain = jsonrpc === "2.0" || isJsonObject(value.params);
    return (id === undefined || id === null) && certain
      ? { kind: "notification", method, params }
      : undefined;
  }
  if (!isRpcId(id) && !(id === null && has("error"))) return undefined;
  if (error !== undefined && error !== null) {
    return { kind: "response", id, answer: { error: toRpcError(error) } };
  }
  if (!has("result")) return undefined;
  return { kind: "response", id, answer: { result: value.result ?? null } };
}

function isRpcId(value: unknown): value is RpcId {
  return typeof value === "string" || typeof value === "number" || isExactNumber(value);
}

/** An error as it should be, from whatever a script put there (often just a text). */
function toRpcError(error: JsonValue): RpcError {
  if (!isJsonObject(error)) {
    return { code: -32000, message: typeof error === "string" ? error : JSON.stringify(error) };
  }
  return {
    code: typeof error.code === "number" ? error.code : -32000,
    message: typeof error.message === "string" ? error.message : JSON.stringify(error),
    ...(error.data === undefined ? {} : { data: error.data }),
  };
}
