import type { JsonValue } from "../../base/json.ts";

/** A whole number that a double can't hold; `JSON.stringify` writes its digits as they came. */
export interface ExactNumber {
  /** The digits. */
  readonly rawJSON: string;
}

/** The part of JSON that TypeScript's library does not know yet. */
interface JsonWithSource {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
}

const json = JSON as unknown as JsonWithSource;

/** A run of 16 digits is the least that a whole number beyond 2^53 has. */
const LONG_DIGITS = /[0-9]{16}/;
const WHOLE = /^-?[0-9]+$/;

/**
 * Parses JSON so that whole numbers beyond ±2^53 keep their digits when the value is written as JSON again: they come
 * as {@linkcode ExactNumber}. Costs nothing for texts without such long digits.
 */
export function parseExact(text: string): JsonValue {
  if (!LONG_DIGITS.test(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, { source }) => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    return source !== undefined && WHOLE.test(source) ? json.rawJSON(source) : value;
  }) as JsonValue;
}

/** Whether a parsed value is a number that only its digits hold. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return json.isRawJSON(value);
}

/** The same value with plain numbers, rounded as any JSON parser does; for schema checks and computing. */
export function roundNumbers(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (isExactNumber(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(roundNumbers);
  // fromEntries makes own properties of every name, `__proto__` too.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, item === undefined ? item : roundNumbers(item)]),
  );
}
