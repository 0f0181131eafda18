import type { ErrorObject } from "ajv";
import { isJsonObject, jsonTypeOf, type JsonValue } from "../base/json.ts";

/** Most problems that one message tells; a list of a thousand wrong members is one mistake. */
const MOST = 8;

/** Keywords whose failure only sums up others that are told too. */
const SUMMARIES = new Set(["if", "allOf"]);

/** What a validator found, in words: path, wanted, given type; never the value that was given. */
export function problemTexts(errors: readonly ErrorObject[], value: unknown): string[] {
  const texts = new Set(
    errors.filter((error) => !SUMMARIES.has(error.keyword)).map((error) => problemText(error, value)),
  );
  const list = [...texts];
  return list.length > MOST ? [...list.slice(0, MOST), `and ${list.length - MOST} more`] : list;
}

function problemText(error: ErrorObject, root: unknown): string {
  const keys = error.instancePath.split("/").slice(1).map((part) =>
    part.replaceAll("~1", "/").replaceAll("~0", "~")
  );
  const path = pathText(keys);
  const of = (extra: string) => pathText([...keys, extra]);
  const { params } = error;
  switch (error.keyword) {
    case "required":
    case "dependentRequired":
    case "dependencies":
      return `${of(String(params.missingProperty))} is missing`;
    case "additionalProperties":
      return `${of(String(params.additionalProperty))} is not a known field`;
    case "unevaluatedProperties":
      return `${of(String(params.unevaluatedProperty))} is not a known field`;
    case "type":
      return `${path} must be ${[params.type].flat().join(" or ")}, is ${jsonTypeOf(valueAt(root, keys))}`;
    case "enum":
      return `${path} must be one of ${list(params.allowedValues)}`;
    case "const":
      return `${path} must be ${list([params.allowedValue])}`;
    case "false schema":
      return `${path} is not allowed`;
    default:
      return `${path} ${error.message ?? "does not fit"}`;
  }
}

function pathText(keys: readonly string[]): string {
  const text = keys.map((key, index) =>
    /^\d+$/.test(key)
      ? `[${key}]`
      : /^[\w$-]{1,80}$/.test(key)
      ? `${index === 0 ? "" : "."}${key}`
      : `[${JSON.stringify(key.slice(0, 80))}]`
  ).join("");
  return text === "" ? "the value" : text;
}

/** Values that a schema allows: its own, so they may be shown. */
function list(values: unknown): string {
  const texts = (Array.isArray(values) ? values : []).map((value) => JSON.stringify(value));
  const text = texts.slice(0, 20).join(", ") + (texts.length > 20 ? ", …" : "");
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

function valueAt(root: unknown, keys: readonly string[]): JsonValue | undefined {
  let at = root as JsonValue | undefined;
  for (const key of keys) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isJsonObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}
