import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../../base/json.ts";
import { parseTemplate } from "./references.ts";

/** Keywords that make the meaning of the rest depend on the value: such a schema is left to the call itself. */
const OPEN = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties"];

/**
 * What is wrong with a step's arguments, as far as it can be seen before anything runs: what is missing, what is not
 * known, and values (not references) of the wrong type. The call itself checks everything.
 */
export function argumentProblems(args: JsonValue | undefined, schema: JsonObject): string[] {
  return valueProblems(args ?? {}, schema, "args");
}

function valueProblems(given: JsonValue | undefined, schema: JsonObject, where: string): string[] {
  if (given === undefined || OPEN.some((keyword) => keyword in schema)) return [];
  const type = knownType(given);
  if (type === undefined) return [];
  const allowed = typesOf(schema);
  if (allowed && !allowed.some((name) => fits(name, type, given))) {
    return [`${where} is ${article(type)}, ${allowed.join(" or ")} is needed`];
  }
  if (type !== "string" || !hasReference(given)) {
    const choices = schema.const !== undefined
      ? [schema.const]
      : Array.isArray(schema.enum)
      ? schema.enum
      : undefined;
    if (choices && !isContainer(given) && !choices.includes(given)) {
      return [`${where} must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`];
    }
  }
  if (Array.isArray(given)) {
    const { items } = schema;
    if (!isJsonObject(items)) return [];
    return given.flatMap((item, i) => valueProblems(item, items, `${where}[${i}]`));
  }
  return isJsonObject(given) ? objectProblems(given, schema, where) : [];
}

function objectProblems(given: JsonObject, schema: JsonObject, where: string): string[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const missing = required.filter((key) => !Object.hasOwn(given, key));
  const unknown = schema.additionalProperties === false
    ? Object.keys(given).filter((key) => !Object.hasOwn(properties, key))
    : [];
  return [
    ...missing.map((key) => `${where} lacks "${key}", which is required`),
    ...unknown.map((key) =>
      `${where} has "${key}", which is not known (known: ${Object.keys(properties).join(", ")})`
    ),
    ...Object.entries(given).flatMap(([key, item]) => {
      const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return isJsonObject(inner) ? valueProblems(item, inner, `${where}.${key}`) : [];
    }),
  ];
}

/** The type that a value will have when the step runs; `undefined` when only the run can tell. */
function knownType(value: JsonValue): string | undefined {
  if (typeof value !== "string" || !hasReference(value)) return jsonTypeOf(value);
  return isWholeReference(value) ? undefined : "string";
}

function hasReference(value: JsonValue): boolean {
  return typeof value === "string" && template(value).some((part) => typeof part !== "string");
}

function isWholeReference(text: string): boolean {
  const parts = template(text);
  return parts.length === 1 && typeof parts[0] !== "string";
}

/** A text that can't be read is told elsewhere. */
function template(text: string): ReturnType<typeof parseTemplate> {
  try {
    return parseTemplate(text);
  } catch {
    return [text];
  }
}

function isContainer(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

function typesOf(schema: JsonObject): string[] | undefined {
  if (typeof schema.type === "string" && schema.type !== "") return [schema.type];
  return Array.isArray(schema.type) ? schema.type.map(String) : undefined;
}

function fits(wanted: string, type: string, value: JsonValue): boolean {
  return wanted === type || (wanted === "integer" && type === "number" && Number.isInteger(value));
}

function article(type: string): string {
  return type === "null" ? type : /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
