import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** A JSON-RPC id, in the form in which it is sent back: numbers that JavaScript can't hold keep their digits. */
export type MessageId = string | number | object | null;

/** What one line of a script's output is. */
export type ScriptMessage =
  | { kind: "request"; id: MessageId; method: string; params: JsonObject }
  | { kind: "notification"; method: string; params: JsonObject }
  | { kind: "answer"; id: MessageId; result: JsonValue }
  | { kind: "failure"; id: MessageId; error: JsonObject }
  /** Was meant as JSON-RPC and is no JSON. */
  | { kind: "broken"; reason: string }
  | { kind: "noise" };

/** More than a double holds may be in there, so numbers have to be looked at one by one. */
const UNUSUAL_NUMBER = /\d[\d.]{15,}|\d[eE]\+?\d{3}/;

/** Half a character may be in there, as Python writes for file names that are no UTF-8. */
const SURROGATE = /\\u[dD][89a-fA-F]/;

/** Blanks, control characters and terminal escapes (titles, colours) that programs put before their own output. */
// deno-lint-ignore no-control-regex -- control characters are what it is about
const DECORATION = /^(?:\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x20\ufeff])+/;

/** Reads one line of a script's output. Numbers of more digits than JavaScript holds keep them in texts made from it. */
export function parseMessage(line: string): ScriptMessage {
  const text = line.startsWith("{") ? line : line.replace(DECORATION, "");
  if (!text.startsWith("{")) return { kind: "noise" };
  let value: unknown;
  try {
    value = UNUSUAL_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
  } catch (error) {
    if (!text.includes('"jsonrpc"')) return { kind: "noise" };
    return { kind: "broken", reason: brokenReason(text, error) };
  }
  if (!isJsonObject(value)) return { kind: "noise" };
  return classify(SURROGATE.test(text) ? wellFormed(value) as JsonObject : value);
}

function classify(value: JsonObject): ScriptMessage {
  const { id, method, params, result, error } = value;
  const isRpc = value.jsonrpc === "2.0";
  if (typeof method === "string" && isRpc) {
    const given = isJsonObject(params) ? params : {};
    return id === undefined || id === null
      ? { kind: "notification", method, params: given }
      : { kind: "request", id: id as MessageId, method, params: given };
  }
  // Some scripts of the older edition leave "jsonrpc" out of their answers.
  if (!isRpc && id === undefined) return { kind: "noise" };
  if (isJsonObject(error)) return { kind: "failure", id: (id ?? null) as MessageId, error };
  if (typeof error === "string") {
    return { kind: "failure", id: (id ?? null) as MessageId, error: { message: error } };
  }
  if (result !== undefined && id !== undefined) return { kind: "answer", id: id as MessageId, result };
  return { kind: "noise" };
}

/** Numbers as they were written; `JSON.stringify` writes such a value as its digits. */
interface RawNumber {
  readonly rawJSON: string;
}

interface RawJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}

/** ECMAScript's "JSON.parse source text access", which TypeScript does not know yet. */
const RAW = JSON as unknown as RawJson;

function keepDigits(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined) return value;
  if (!Number.isFinite(value)) {
    throw new RangeError("Cannot read the answer: a number is too large", { cause: source.slice(0, 30) });
  }
  return source.length < 16 || String(value) === source ? value : RAW.rawJSON(source);
}

/** The value with U+FFFD for each half of a character: strict readers refuse the whole line over one. */
function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (RAW.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item ?? null)]);
  return Object.fromEntries(entries);
}

/** The value with every kept number as an ordinary one, for those who compute or compare. */
export function plainValue(value: JsonValue): JsonValue {
  if (RAW.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isJsonObject(value)) return value;
  const plain: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    // Assigning "__proto__" would change the object instead of getting a key.
    Object.defineProperty(plain, key, {
      value: item === undefined ? item : plainValue(item),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return plain;
}

function brokenReason(text: string, error: unknown): string {
  const word = /[:[,]\s*(-?Infinity|NaN)\b/.exec(text)?.[1];
  if (word) return `it holds ${word}, which is no JSON; write null or a text instead`;
  if (error instanceof RangeError && typeof error.cause === "string") {
    return `it holds ${error.cause}, which is larger than readers of JSON can hold; write a text instead`;
  }
  return `it is no valid JSON (${error instanceof Error ? error.message : String(error)})`;
}
