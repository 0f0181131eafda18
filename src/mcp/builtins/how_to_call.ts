import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { Tool } from "../../tools/tool.ts";

/**
 * How a tool that was just made can be called now, in words for a model. Many clients ignore `tools/list_changed`, so
 * `call_tool` comes first.
 */
export function howToCallNow({ name, manifest }: Tool): string {
  const args = JSON.stringify(manifest.examples[0]?.arguments ?? exampleArguments(manifest.input_schema));
  const call = `Call it now: call_tool {"tool_name": "${name}", "arguments": ${args}}.`;
  return manifest.core
    ? `${call} It is listed in tools/list too.`
    : `${call} activate_skill {"name": "${name}"} lists it in tools/list.`;
}

function exampleArguments(schema: JsonObject): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(required.map((key) => [String(key), placeholder(properties[String(key)])]));
}

/** A value of the right type; what it should be, the description says. */
function placeholder(schema: JsonValue | undefined): JsonValue {
  if (!isJsonObject(schema)) return "…";
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? "…";
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "…";
  }
}
