import type { JsonValue } from "../../base/json.ts";

/** The value with `redact` applied to every string in it. */
export function redactStrings(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, redact));
  // Numbers that keep their digits are objects too, and hold no text.
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  const entries = Object.entries(value).map((
    [key, item],
  ) => [key, item === undefined ? item : redactStrings(item, redact)]);
  return Object.fromEntries(entries);
}
