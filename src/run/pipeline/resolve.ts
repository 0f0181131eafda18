import { SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { StepValue } from "./step_value.ts";
import { parseTemplate, type Reference } from "./references.ts";

/** The values that references reach at one point of a run. */
export interface Scope {
  /** The value of a name; throws when there is none (the check at creation keeps that from happening). */
  value(name: string): StepValue;
}

/**
 * Arguments with every reference replaced. A reference to something optional that is not there (an input that was not
 * given, a step that did not run) leaves its key out; to a field that a result lacks, it throws `invalid_input`.
 */
export function resolveArguments(args: JsonValue | undefined, scope: Scope): JsonValue | undefined {
  if (typeof args === "string") return resolveText(args, scope);
  if (Array.isArray(args)) return args.map((item) => resolveArguments(item, scope) ?? null);
  if (!isJsonObject(args)) return args;
  // Entries, not assignment: a key "__proto__" stays a key.
  return Object.fromEntries(
    Object.entries(args).map(([key, item]) => [key, resolveArguments(item, scope)]).filter(([, item]) =>
      item !== undefined
    ),
  ) as JsonObject;
}

function resolveText(text: string, scope: Scope): JsonValue | undefined {
  if (!text.includes("$")) return text;
  const template = parseTemplate(text);
  const [only] = template;
  if (template.length === 1 && only !== undefined) {
    return typeof only === "string" ? only : required(only, scope);
  }
  return template.map((part) => typeof part === "string" ? part : asText(required(part, scope))).join("");
}

function asText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function required(reference: Reference, scope: Scope): JsonValue | undefined {
  const found = follow(reference, scope);
  if (!("missing" in found)) return found.value;
  throw new SkillzError(
    "invalid_input",
    `Cannot resolve ${reference.text}: ${found.missing}`,
    { hint: `Look at what the tool answers, or give the step a condition` },
  );
}

/** The value of a reference; `undefined` for whatever is not there, as conditions want it. */
export function lookUp(reference: Reference, scope: Scope): JsonValue | undefined {
  const found = follow(reference, scope);
  return "missing" in found ? undefined : found.value;
}

function follow(reference: Reference, scope: Scope): { value: JsonValue | undefined } | { missing: string } {
  const source = scope.value(reference.name);
  let value = source.value;
  for (const [i, key] of reference.path.entries()) {
    const next = ownValue(value, key);
    if (next === undefined && i === 0 && key === "content" && source.content) {
      value = source.content;
      continue;
    }
    if (next === undefined) {
      if (value === undefined || source.optional) return { value: undefined };
      return { missing: `there is no ${JSON.stringify(key)}, ${describe(value)}` };
    }
    value = next;
  }
  return { value };
}

/** A field or item that the value itself has; nothing that JavaScript gives to every object. */
function ownValue(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) {
    if (key === "length") return value.length;
    return typeof key === "number" ? value.at(key) : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return `it is a list of ${value.length}`;
  if (!isJsonObject(value)) return `it is ${value === null ? "null" : `a ${typeof value}`}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? "it is an empty object" : `it has ${keys.slice(0, 12).join(", ")}`;
}
