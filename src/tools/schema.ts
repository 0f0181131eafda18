import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../base/json.ts";
import { resolvePointer, SchemaFault, walkSchema } from "./_schema_walk.ts";

/** A schema fit to be listed, none (it says nothing), or why it can't be used. */
export type NormalisedSchema =
  | { readonly schema: JsonObject | undefined; readonly fault?: undefined }
  | { readonly schema?: undefined; readonly fault: string };

/** Largest schema, as JSON: it is sent with every list of tools. */
const MAX_CHARACTERS = 256 * 1024;

/** Dialects that validators know; another `$schema` makes some clients drop the whole list of tools. */
const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/(?:2020-12|2019-09)|draft-0[67])\/schema#?$/;

/** Keywords that only objects have to do with. */
const OBJECT_KEYWORDS = [
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "propertyNames",
];

/**
 * Makes of any description of arguments one whose root is an object, as MCP wants it; every client refuses the whole
 * list of tools for one that is not. `{}`, `true`, a missing or empty `type`, and JSON in a string are mended; a root
 * that can't be an object is refused.
 */
export function normaliseInputSchema(given: JsonValue | undefined): NormalisedSchema {
  const normalised = normalise(given);
  if (normalised.fault !== undefined) return normalised;
  const { schema } = normalised;
  if (schema?.properties !== undefined) return normalised;
  return { schema: schema ? { ...schema, properties: {} } : { type: "object", properties: {} } };
}

/** The same for a description of results. One that allows everything says nothing and is left out. */
export function normaliseOutputSchema(given: JsonValue | undefined): NormalisedSchema {
  return normalise(given);
}

function normalise(given: JsonValue | undefined): NormalisedSchema {
  const raw = typeof given === "string" ? parseText(given) : given;
  if (raw === undefined && typeof given === "string") return { fault: "it is a string that holds no JSON" };
  if (raw === undefined || raw === null || raw === true) return { schema: undefined };
  if (raw === false) return { fault: "it is false, which allows nothing" };
  if (!isJsonObject(raw)) return { fault: `it is ${jsonTypeOf(raw)}, must be a JSON Schema` };
  try {
    if (JSON.stringify(raw).length > MAX_CHARACTERS) {
      return { fault: `it is larger than ${MAX_CHARACTERS} characters` };
    }
    return { schema: objectRoot(dropIdentity(walkSchema(raw))) };
  } catch (error) {
    if (error instanceof SchemaFault) return { fault: error.message };
    if (error instanceof RangeError) return { fault: "it is nested too deeply" };
    throw error;
  }
}

function parseText(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Two schemas of one `$id` are an error to some validators, and to others the same schema. */
function dropIdentity(schema: JsonObject): JsonObject {
  const { $id: _id, id, $schema, ...rest } = schema;
  const known = typeof $schema === "string" && DIALECT.test($schema);
  return {
    ...(known ? { $schema } : {}),
    ...(id !== undefined && typeof id !== "string" ? { id } : {}),
    ...rest,
  };
}

function objectRoot(schema: JsonObject): JsonObject | undefined {
  const { type } = schema;
  if (Array.isArray(type) && !type.includes("object") || typeof type === "string" && type !== "object") {
    throw new SchemaFault(`its type is ${JSON.stringify(type)}, must be "object"`);
  }
  for (const key of ["oneOf", "anyOf", "allOf"]) {
    const members = schema[key];
    if (!Array.isArray(members) || members.length === 0) continue;
    const fit = members.filter((member) => mayBeObject(member, schema, 0));
    if (key === "allOf" ? fit.length < members.length : fit.length === 0) {
      throw new SchemaFault(`its ${key} allows no object, the root must describe one`);
    }
  }
  if (!mayBeObject({ $ref: schema.$ref }, schema, 0)) {
    throw new SchemaFault("its $ref leads to something that is no object, the root must describe one");
  }
  const { type: _type, $schema, ...rest } = schema;
  if (
    type === undefined && Object.keys(rest).every((key) => ["title", "description", "$comment"].includes(key))
  ) {
    return undefined;
  }
  return { ...($schema === undefined ? {} : { $schema }), type: "object", ...rest };
}

/** Whether some object could pass; unsure counts as yes. */
function mayBeObject(schema: JsonValue | undefined, root: JsonObject, depth: number): boolean {
  if (!isJsonObject(schema) || depth > 16) return schema !== false;
  const { type, $ref } = schema;
  if (typeof type === "string") return type === "object";
  if (Array.isArray(type)) return type.includes("object");
  if ("const" in schema) return isJsonObject(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.some(isJsonObject);
  if (OBJECT_KEYWORDS.some((key) => key in schema)) return true;
  if (typeof $ref === "string" && $ref.startsWith("#/")) {
    return mayBeObject(resolvePointer(root, $ref), root, depth + 1);
  }
  for (const key of ["oneOf", "anyOf"]) {
    const members = schema[key];
    if (Array.isArray(members)) return members.some((member) => mayBeObject(member, root, depth + 1));
  }
  return true;
}
