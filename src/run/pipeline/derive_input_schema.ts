import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { PipelineStep } from "../../tools/tool.ts";
import { parseCondition } from "./condition.ts";
import type { GetTool } from "./known_tool.ts";
import { parseTemplate, type Reference, textsIn } from "./references.ts";

/** What a pipeline does with its input. */
export interface InputUse {
  /** What is run, in order; their texts are searched for references to the input. */
  readonly steps: readonly PipelineStep[];
  /** What is its result. */
  readonly output?: JsonValue;
}

/**
 * What `$input` holds, for a pipeline whose maker does not say: each field that is referred to. One that is handed on
 * whole has the schema that the step's tool has for it, and is required if that tool can't do without it.
 *
 * The pipeline must have been checked.
 */
export function deriveInputSchema(use: InputUse, getTool: GetTool): JsonObject {
  const fields = new Fields();
  for (const step of use.steps) addStep(step, fields, getTool);
  for (const { text } of textsIn(use.output, "output")) fields.mention(text);
  return fields.schema();
}

function addStep(step: PipelineStep, fields: Fields, getTool: GetTool): void {
  for (const inner of step.parallel ?? []) addStep(inner, fields, getTool);
  if (step.condition !== undefined) {
    for (const reference of parseCondition(step.condition).references) fields.add(reference, {}, false);
  }
  // What may be skipped or may fail needs nothing.
  const sure = step.condition === undefined && step.continue_on_error !== true;
  const list = step.for_each === undefined ? undefined : whole(step.for_each);
  if (list) fields.add(list, { type: "array" }, sure);
  const tool = step.tool === undefined ? undefined : getTool(step.tool)?.input_schema;
  const args = isJsonObject(step.args) ? step.args : {};
  for (const [key, value] of Object.entries(args)) {
    const reference = typeof value === "string" ? whole(value) : undefined;
    if (reference === undefined) {
      for (const { text } of textsIn(value, key)) fields.mention(text);
      continue;
    }
    const required = Array.isArray(tool?.required) && tool.required.includes(key);
    fields.add(reference, propertyOf(tool, key), sure && required);
  }
}

/** The schema of a tool's argument, if it makes sense outside the tool's own schema. */
function propertyOf(schema: JsonObject | undefined, key: string): JsonObject {
  const properties = isJsonObject(schema?.properties) ? schema.properties : {};
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isJsonObject(property) && !JSON.stringify(property).includes('"$') ? property : {};
}

/** The one reference that a text is, if it is nothing else. */
function whole(text: string): Reference | undefined {
  const parts = parseTemplate(text);
  const [first] = parts;
  return parts.length === 1 && typeof first === "object" ? first : undefined;
}

/** The fields of `$input` as they come to light. */
class Fields {
  readonly #properties = new Map<string, JsonObject>();
  readonly #required = new Set<string>();

  /** A text that holds references somewhere. */
  mention(text: string): void {
    for (const part of parseTemplate(text)) if (typeof part === "object") this.add(part, {}, false);
  }

  /** A reference, and what is known of the value there. */
  add({ name, path }: Reference, schema: JsonObject, required: boolean): void {
    const [field] = path;
    if (name !== "input" || typeof field !== "string") return;
    const known = path.length === 1 ? schema : {};
    const before = this.#properties.get(field);
    this.#properties.set(field, before === undefined ? known : agreed(before, known));
    if (required && path.length === 1) this.#required.add(field);
  }

  /** All of them. */
  schema(): JsonObject {
    return {
      type: "object",
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.size > 0 ? { required: [...this.#required] } : {}),
    };
  }
}

/** Where two steps say different things, the steps' tools must judge; who says nothing agrees. */
function agreed(a: JsonObject, b: JsonObject): JsonObject {
  if (Object.keys(a).length === 0) return b;
  if (Object.keys(b).length === 0) return a;
  return JSON.stringify(a) === JSON.stringify(b) ? a : {};
}
