import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../base/json.ts";

/** A schema that can't be used, with the place and the reason. */
export class SchemaFault extends Error {}

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** Keywords that hold one schema, a list of them, or a table of them. `items` was a list too in older drafts. */
const SINGLE = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const LIST = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const TABLE = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]);

/** Deeper or larger schemas are no description of arguments any more, and cost every client that lists the tool. */
const MAX_DEPTH = 64;
const MAX_SCHEMAS = 10_000;

/**
 * A copy of a schema in which what models often write is mended (`type: ""`, needless escapes in patterns, keywords of
 * draft-07 without saying so), and in which every part is one that validators compile.
 *
 * @throws `SchemaFault` that names the place.
 */
export function walkSchema(root: JsonObject): JsonObject {
  let count = 0;
  const isOlder = typeof root.$schema === "string" && /draft-0[67]|2019-09/.test(root.$schema);
  const visit = (schema: JsonValue | undefined, path: string, depth: number): JsonValue => {
    if (typeof schema === "boolean") return schema;
    if (!isJsonObject(schema)) throw new SchemaFault(`${path} is ${jsonTypeOf(schema)}, must be a schema`);
    if (depth > MAX_DEPTH) throw new SchemaFault(`it is deeper than ${MAX_DEPTH} levels`);
    if (++count > MAX_SCHEMAS) throw new SchemaFault(`it has more than ${MAX_SCHEMAS} parts`);
    const copy: JsonObject = {};
    for (const [key, value] of Object.entries(schema)) {
      const at = `${path}.${key}`;
      if (key === "__proto__") throw new SchemaFault(`${at} is no name for a field`);
      const kept = child(key, value, { at, depth });
      if (kept !== undefined) copy[key] = kept;
    }
    return isOlder ? copy : modernise(copy);
  };
  const child = (key: string, value: JsonValue | undefined, { at, depth }: Place): JsonValue | undefined => {
    if (SINGLE.has(key) && !Array.isArray(value)) return visit(value, at, depth + 1);
    if (LIST.has(key) || (key === "items" && Array.isArray(value))) {
      if (!Array.isArray(value)) {
        throw new SchemaFault(`${at} is ${jsonTypeOf(value)}, must be a list of schemas`);
      }
      return value.map((member, index) => visit(member, `${at}[${index}]`, depth + 1));
    }
    if (TABLE.has(key) || key === "dependencies") {
      if (!isJsonObject(value)) throw new SchemaFault(`${at} is ${jsonTypeOf(value)}, must be an object`);
      return table(
        value,
        (member, name) =>
          key === "dependencies" && Array.isArray(member)
            ? member
            : visit(member, `${at}.${name}`, depth + 1),
        at,
      );
    }
    return keyword(key, value, { at, root });
  };
  return visit(root, "the schema", 0) as JsonObject;
}

/** Keywords of older drafts as 2020-12 has them, which is what a schema without `$schema` is read as. */
function modernise({ dependencies, additionalItems, ...schema }: JsonObject): JsonObject {
  if (Array.isArray(schema.items)) {
    schema.prefixItems = schema.items;
    if (additionalItems === undefined) delete schema.items;
    else schema.items = additionalItems;
  }
  for (const [name, value] of Object.entries(isJsonObject(dependencies) ? dependencies : {})) {
    const key = Array.isArray(value) ? "dependentRequired" : "dependentSchemas";
    schema[key] = { ...(isJsonObject(schema[key]) ? schema[key] : {}), [name]: value };
  }
  return schema;
}

interface Place {
  at: string;
  depth: number;
}

function table(
  value: JsonObject,
  each: (member: JsonValue | undefined, name: string) => JsonValue,
  at: string,
): JsonObject {
  const copy: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === "__proto__") throw new SchemaFault(`${at}.${name} is no name for a field`);
    copy[name] = each(member, name);
  }
  return copy;
}

/** A keyword that holds no schema: mended, refused, or as it is; undefined drops it. */
function keyword(
  key: string,
  value: JsonValue | undefined,
  { at, root }: { at: string; root: JsonObject },
): JsonValue | undefined {
  switch (key) {
    // To AJV this makes validation answer with a promise, which is true whatever the arguments are.
    case "$async":
      return undefined;
    case "type":
      return typeKeyword(value, at);
    case "required":
      if (!isStringList(value)) {
        throw new SchemaFault(`${at} is ${jsonTypeOf(value)}, must be a list of names`);
      }
      return value;
    case "enum":
      if (!Array.isArray(value) || value.length === 0) {
        throw new SchemaFault(`${at} must be a list of values`);
      }
      return value;
    case "pattern":
      return patternKeyword(value, at);
    case "$ref":
    case "$dynamicRef":
    case "$recursiveRef":
      return refKeyword(value, { at, root });
    default:
      return value;
  }
}

function typeKeyword(value: JsonValue | undefined, at: string): JsonValue | undefined {
  if (value === "" || value === null) return undefined;
  const types = Array.isArray(value) ? value : [value];
  const unknown = types.find((type) => typeof type !== "string" || !TYPES.includes(type));
  if (unknown !== undefined || types.length === 0) {
    throw new SchemaFault(`${at} is ${JSON.stringify(unknown ?? value)}, must be one of ${TYPES.join(", ")}`);
  }
  return value;
}

/** Patterns are compiled with the `u` flag, which forbids escapes that mean nothing, like `\-` or `\@`. */
function patternKeyword(value: JsonValue | undefined, at: string): JsonValue {
  if (typeof value !== "string") throw new SchemaFault(`${at} is ${jsonTypeOf(value)}, must be a string`);
  const mended = value.replace(
    /\\([\s\S])/g,
    (pair, char: string) =>
      /[-_@"' :;,#%&=~`!<>]/.test(char) ? `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}` : pair,
  );
  for (const pattern of [value, mended]) {
    try {
      new RegExp(pattern, "u");
      return pattern;
    } catch { /* the next one, or the fault below */ }
  }
  throw new SchemaFault(`${at} is no regular expression of JavaScript (with the u flag)`);
}

function refKeyword(value: JsonValue | undefined, { at, root }: { at: string; root: JsonObject }): JsonValue {
  if (typeof value !== "string" || !value.startsWith("#")) {
    throw new SchemaFault(
      `${at} leads out of the schema, must begin with # – put the definition under $defs`,
    );
  }
  if (value.startsWith("#/") && resolvePointer(root, value) === undefined) {
    throw new SchemaFault(`${at} is ${JSON.stringify(value)}, and there is nothing at that place`);
  }
  return value;
}

/** What a reference like `#/$defs/name` stands for. */
export function resolvePointer(root: JsonObject, reference: string): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const key = decodePart(part);
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isJsonObject(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((member) => typeof member === "string");
}
