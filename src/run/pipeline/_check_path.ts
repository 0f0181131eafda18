import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

const OPEN = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties"];

/**
 * Why a path can't lead to anything in values of a schema, in words that go on after the reference; `undefined` when it
 * may. A schema that lists properties is taken at its word, unless it allows more by `additionalProperties`.
 */
export function pathProblem(path: readonly (string | number)[], schema: JsonObject): string | undefined {
  let at: JsonValue | undefined = schema;
  for (const key of path) {
    if (!isJsonObject(at) || OPEN.some((keyword) => isJsonObject(at) && keyword in at)) return undefined;
    const { type } = at;
    if (type === "array" || (type === undefined && at.items !== undefined)) {
      if (key === "length") return undefined;
      if (typeof key !== "number") return `is a list there, which has no ${JSON.stringify(key)}`;
      at = at.items;
      continue;
    }
    if (typeof type === "string" && type !== "object" && type !== "") {
      return `is of type ${type} there, which has no ${JSON.stringify(key)}`;
    }
    if (!isJsonObject(at.properties)) return undefined;
    const properties: JsonObject = at.properties;
    if (Object.hasOwn(properties, key)) {
      at = properties[key];
      continue;
    }
    const names = Object.keys(properties);
    const closed = at.additionalProperties === false ||
      (at.additionalProperties === undefined && names.length > 0);
    if (!closed) return undefined;
    return `has no ${JSON.stringify(key)}` +
      (names.length > 0 ? ` (it has ${names.slice(0, 20).join(", ")})` : "");
  }
  return undefined;
}
