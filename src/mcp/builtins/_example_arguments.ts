import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** Nested deeper than this, a schema describes itself. */
const MAX_DEPTH = 8;

/** A value for each format that a text may have to keep to. */
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  duration: "P1D",
  email: "name@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  "uri-reference": "https://example.com/",
  url: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

/** Arguments for a schema: every required field with a value of the right kind, what it means the description says. */
export function exampleArguments(schema: JsonObject): JsonObject {
  const value = example(schema, { root: schema, depth: 0 });
  return isJsonObject(value) ? value : {};
}

interface Place {
  readonly root: JsonObject;
  readonly depth: number;
}

function example(given: JsonValue | undefined, place: Place): JsonValue {
  if (!isJsonObject(given) || place.depth > MAX_DEPTH) return "…";
  const schema = resolved(given, place);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.examples) && schema.examples[0] !== undefined) return schema.examples[0];
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const deeper = { ...place, depth: place.depth + 1 };
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choice) && schema.type === undefined) return example(choice[0], deeper);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "number":
    case "integer":
      return exampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return Array.from({ length: number(schema.minItems) ?? 0 }, () => example(schema.items, deeper));
    case "object":
      return exampleObject(schema, deeper);
    default:
      return exampleText(schema);
  }
}

function exampleObject(schema: JsonObject, deeper: Place): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(required.map((key) => [key, example(properties[key], deeper)]));
}

function exampleNumber(schema: JsonObject): number {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = schema;
  const step = number(multipleOf) ?? 1;
  const least = number(minimum) ?? (number(exclusiveMinimum) ?? 0) + step;
  return Math.min(Math.ceil(least / step) * step, number(maximum) ?? Infinity);
}

function exampleText(schema: JsonObject): string {
  const { format, minLength } = schema;
  const known = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return known ?? "…".padEnd(number(minLength) ?? 1, "…");
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** What a `$ref` inside the schema leads to. */
function resolved(schema: JsonObject, { root }: Place): JsonObject {
  const { $ref: ref } = schema;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
  let target: JsonValue | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    target = isJsonObject(target) ? target[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isJsonObject(target) ? { ...schema, $ref: undefined, ...target } : schema;
}
