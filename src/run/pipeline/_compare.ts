import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, jsonTypeOf, type JsonValue } from "../../base/json.ts";

/** Whether a value counts as true: everything but false, null, 0, an empty text or list, and what is not there. */
export function isTruthy(value: JsonValue | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Whether two values are the same, at any depth. What is not there is the same as null. */
export function sameValue(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  const [a, b] = [left ?? null, right ?? null];
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  }
  if (!isJsonObject(a)) return a === b;
  if (!isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]));
}

/** An operator that orders. */
export type Order = "<" | "<=" | ">" | ">=";

/** Whether an order holds. Nothing is before or after what is not there; unlike things have no order and throw. */
export function compare(operator: Order, [left, right]: readonly (JsonValue | undefined)[]): boolean {
  if (left === undefined || left === null || right === undefined || right === null) return false;
  const comparable = (typeof left === "number" && typeof right === "number") ||
    (typeof left === "string" && typeof right === "string");
  if (!comparable) {
    throw new SkillzError(
      "invalid_input",
      `Cannot compare values in condition: ${jsonTypeOf(left)} ${operator} ${
        jsonTypeOf(right)
      } has no order, ` +
        "both must be numbers or both texts",
    );
  }
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}
