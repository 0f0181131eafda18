/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; a missing key reads as `undefined`. */
export interface JsonObject {
  /** A member. */
  [key: string]: JsonValue | undefined;
}

/** Whether `value` is a plain JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON name of a value's type, for error messages: `null`, `array`, `object`, `string`, … */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** A plain object as JSON has it: a deep copy without `undefined` fields. */
export function toJsonObject(value: object): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(copy) ? copy : {};
}
