import { SkillzError } from "../base/errors.ts";
import type { JsonValue } from "../base/json.ts";

/** What memory holds at most; a message names the one that was hit. */
export const MEMORY_LIMITS = {
  /** Bytes of one value as JSON. */
  valueBytes: 1 << 20,
  /** Bytes of one key. */
  keyBytes: 512,
  /** Bytes of all keys and values of a namespace. */
  namespaceBytes: 100 << 20,
  /** Entries of a namespace. */
  namespaceEntries: 100_000,
  /** Entries of one bulk store: it is one transaction, which must not hold up other calls for long. */
  bulkEntries: 1000,
  /** Bytes of one bulk store. */
  bulkBytes: 16 << 20,
} as const;

/** A hundred years: longer ones would leave the range of a date. */
const MAX_TTL_SECONDS = 3_155_760_000;

/** Throws unless `name` can be a namespace (in practice the name of a tool). */
export function checkNamespace(name: string): void {
  checkText("namespace", name);
}

/** Throws unless `key` can be a key. */
export function checkKey(key: string): void {
  checkText("key", key);
}

function checkText(what: "namespace" | "key", text: string): void {
  if (typeof text !== "string" || text === "" || text.includes("\0") || !text.isWellFormed()) {
    throw new SkillzError(
      "invalid_input",
      `Cannot use memory ${what}: it is empty or no valid text, use a text of 1 to ${MEMORY_LIMITS.keyBytes} bytes`,
    );
  }
  const bytes = byteLength(text, MEMORY_LIMITS.keyBytes);
  if (bytes > MEMORY_LIMITS.keyBytes) {
    throw new SkillzError(
      "limit",
      `Cannot use memory ${what}: it has ${bytes} bytes, at most ${MEMORY_LIMITS.keyBytes} are allowed`,
    );
  }
}

/** The JSON text of a value. Throws `limit` when it is too long, `invalid_input` when JSON cannot carry it. */
export function encodeValue(value: JsonValue): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new SkillzError("invalid_input", "Cannot store value: it is not JSON, use a JSON value", { cause });
  }
  if (text === undefined) {
    throw new SkillzError("invalid_input", "Cannot store value: there is none, use a JSON value");
  }
  const bytes = byteLength(text, MEMORY_LIMITS.valueBytes);
  if (bytes > MEMORY_LIMITS.valueBytes) {
    throw new SkillzError(
      "limit",
      `Cannot store value: it has ${bytes} bytes as JSON, at most ${MEMORY_LIMITS.valueBytes} (1 MiB) are allowed`,
      { hint: "Split it over several keys, or write it to a file" },
    );
  }
  return text;
}

/** When an entry stored at `now` with this `ttl` expires, in milliseconds; null for never. */
export function expiryOf(ttl: number | undefined, now: number): number | null {
  if (ttl === undefined) return null;
  if (typeof ttl !== "number" || !(ttl > 0 && ttl <= MAX_TTL_SECONDS)) {
    throw new SkillzError(
      "invalid_input",
      "Cannot store value: the ttl is out of range, use seconds above 0 and up to a hundred years",
    );
  }
  return now + Math.ceil(ttl * 1000);
}

/** UTF-8 length; counted only when the text may be longer than `limit`, since three bytes a unit is the most. */
function byteLength(text: string, limit: number): number {
  return text.length * 3 <= limit ? text.length : new TextEncoder().encode(text).length;
}
