import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** One parameter of a generated Python function. */
export interface PythonParameter {
  /** The argument's name, as the tool knows it. */
  name: string;
  /** Type hint. */
  hint: string;
  /** Whether the tool needs it. */
  required: boolean;
  /** What it means, one line. */
  description?: string;
}

/** The parameters that an input schema's properties amount to, required ones first. */
export function pythonParameters(schema: JsonObject): PythonParameter[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const all = Object.entries(properties).map(([name, value]): PythonParameter => ({
    name,
    hint: pythonHint(value),
    required: required.has(name),
    ...(isJsonObject(value) && typeof value.description === "string"
      ? { description: value.description }
      : {}),
  }));
  return [...all.filter((p) => p.required), ...all.filter((p) => !p.required)];
}

/** A Python type hint for a JSON Schema; `object` where none fits. */
export function pythonHint(schema: JsonValue | undefined): string {
  if (!isJsonObject(schema)) return "object";
  if (Array.isArray(schema.enum)) {
    const plain = schema.enum.every((value) => typeof value === "string");
    return plain ? `Literal[${schema.enum.map((value) => pythonText(String(value))).join(", ")}]` : "object";
  }
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(alternatives)) return joined(alternatives.map(pythonHint));
  if (Array.isArray(schema.type)) return joined(schema.type.map((type) => pythonHint({ ...schema, type })));
  switch (schema.type) {
    case "string":
      return "str";
    case "integer":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    case "null":
      return "None";
    case "array":
      return Array.isArray(schema.items) ? "list" : `list[${pythonHint(schema.items)}]`;
    case "object":
      return "dict";
    default:
      return "object";
  }
}

/** A text as a Python literal on one line, also to those who take more characters for the end of a line. */
export function pythonText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u00a0\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function joined(hints: readonly string[]): string {
  const unique = [...new Set(hints)];
  return unique.includes("object") ? "object" : unique.join(" | ");
}
