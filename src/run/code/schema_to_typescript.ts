import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** Schemas nested deeper than this are shown as `unknown`. */
const MAX_DEPTH = 12;

interface Scope {
  /** The whole schema, for `$ref`. */
  root: JsonObject;
  /** References being followed, to stop at recursion. */
  following: readonly string[];
  depth: number;
}

/**
 * Writes a JSON Schema (2020-12, draft-07) as a TypeScript type on one line. What TypeScript can't say (formats,
 * bounds) is left out; what is unknown or recursive becomes `unknown`. Nothing of the schema's text can leave its
 * place: keys and literals are written as JSON strings.
 */
export function schemaToTypescript(schema: JsonValue | undefined): string {
  const root = isJsonObject(schema) ? schema : {};
  return typeOf(schema, { root, following: [], depth: 0 });
}

function typeOf(schema: JsonValue | undefined, scope: Scope): string {
  if (schema === false) return "never";
  if (!isJsonObject(schema) || scope.depth > MAX_DEPTH) return "unknown";
  const inner = { ...scope, depth: scope.depth + 1 };
  if (typeof schema.$ref === "string") return refType(schema.$ref, inner);
  if ("const" in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(alternatives)) {
    const own = shapeOf(schema, inner);
    const type = union(alternatives.map((one) => typeOf(one, inner)));
    return own === undefined ? type : `${own} & (${type})`;
  }
  if (Array.isArray(schema.allOf)) {
    const parts = [shapeOf(schema, inner), ...schema.allOf.map((one) => typeOf(one, inner))];
    const known = parts.filter((part) => part !== undefined && part !== "unknown");
    return known.length ? known.map((part) => `(${part})`).join(" & ") : "unknown";
  }
  return shapeOf(schema, inner) ?? "unknown";
}

function shapeOf(schema: JsonObject, scope: Scope): string | undefined {
  const types = Array.isArray(schema.type)
    ? schema.type
    : schema.type === undefined
    ? guessType(schema)
    : [schema.type];
  if (!types.length) return undefined;
  return union(types.map((type) => plainType(String(type), schema, scope)));
}

function guessType(schema: JsonObject): string[] {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return ["object"];
  return schema.items !== undefined || schema.prefixItems !== undefined ? ["array"] : [];
}

function plainType(type: string, schema: JsonObject, scope: Scope): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return arrayType(schema, scope);
    case "object":
      return objectType(schema, scope);
    default:
      return "unknown";
  }
}

function arrayType(schema: JsonObject, scope: Scope): string {
  const tuple = schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined);
  if (Array.isArray(tuple)) {
    const rest = schema.items === false || schema.additionalItems === false ? "" : ", ...unknown[]";
    return `[${tuple.map((one) => `${typeOf(one, scope)}`).join(", ")}${rest}]`;
  }
  return `Array<${typeOf(schema.items, scope)}>`;
}

function objectType(schema: JsonObject, scope: Scope): string {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = Object.entries(properties).map(([key, value]) =>
    `${docComment(value)}${propertyKey(key)}${required.has(key) ? "" : "?"}: ${typeOf(value, scope)}`
  );
  const extra = schema.additionalProperties;
  if (!fields.length) return `Record<string, ${isJsonObject(extra) ? typeOf(extra, scope) : "unknown"}>`;
  // An index signature must cover the named fields too, hence `unknown`.
  if (extra === true || isJsonObject(extra)) fields.push("[key: string]: unknown");
  return `{ ${fields.join("; ")} }`;
}

function refType(ref: string, scope: Scope): string {
  if (scope.following.includes(ref)) return "unknown";
  const inner = { ...scope, following: [...scope.following, ref] };
  if (ref === "#") return typeOf(scope.root, inner);
  if (!ref.startsWith("#/")) return "unknown";
  let target: JsonValue | undefined = scope.root;
  for (const part of ref.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    target = isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return typeOf(target, inner);
}

function literal(value: JsonValue | undefined): string {
  return value === null || typeof value !== "object" ? JSON.stringify(value) ?? "unknown" : "unknown";
}

function union(types: readonly string[]): string {
  const unique = [...new Set(types)];
  if (unique.includes("unknown")) return "unknown";
  return unique.length === 1
    ? unique[0] ?? "never"
    : unique.map((type) => type.includes(" & ") ? `(${type})` : type).join(" | ");
}

function propertyKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

function docComment(schema: JsonValue | undefined): string {
  return isJsonObject(schema) && typeof schema.description === "string"
    ? `/** ${commentText(schema.description)} */ `
    : "";
}

/** A description as it may stand inside a doc comment: one line, unable to close the comment, at most 300 characters. */
export function commentText(text: string): string {
  const line = text.replace(/[\s\u2028\u2029]+/g, " ").replaceAll("*/", "*\u2215").replaceAll("@", "@\u200b")
    .trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
