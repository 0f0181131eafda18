import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { pathProblem } from "./_check_path.ts";
import type { Reference } from "./references.ts";

/** What is known of a value before anything runs. */
export interface Visible {
  /** Its schema; absent when it may be anything. */
  readonly schema?: JsonObject;
  /** Whether it is one tool's result, whose blocks are behind `.content`. */
  readonly content: boolean;
}

/** What {@linkcode checkReference} looks at. */
export interface ReferencePlace {
  /** What can be referred to here. */
  readonly scope: ReadonlyMap<string, Visible>;
  /** Names of all steps, to tell a later one from none. */
  readonly all: ReadonlySet<string>;
}

/** Why a reference can't be followed, or what is known of the value that it leads to. */
export function checkReference(
  reference: Reference,
  { scope, all }: ReferencePlace,
): Visible | { problem: string } {
  const { name, path, text } = reference;
  const source = scope.get(name);
  if (source === undefined) return { problem: `${text} ${unknownName(name, { scope, all })}` };
  if (source.schema === undefined || (source.content && path[0] === "content")) {
    return { content: false };
  }
  const problem = pathProblem(path, source.schema);
  if (problem !== undefined) return { problem: `${text} leads nowhere: $${name} ${problem}` };
  const schema = schemaAt(path, source.schema);
  return { ...(schema ? { schema } : {}), content: false };
}

function unknownName(
  name: string,
  { scope, all }: { scope: ReadonlyMap<string, Visible>; all: ReadonlySet<string> },
) {
  if (name === "prev") return "refers to the step before, and there is none";
  if (name === "item" || name === "index") return "has a meaning only in a step with for_each";
  if (all.has(name)) return "refers to a step that runs later or at the same time";
  const known = [...scope.keys()].map((key) => `$${key}`).join(", ");
  return `refers to a step that does not exist (known here: ${known}). Write "$$" for a dollar`;
}

/** The schema that a path leads to, as far as plain properties and items go. */
function schemaAt(path: Reference["path"], schema: JsonObject): JsonObject | undefined {
  let at: JsonObject | undefined = schema;
  for (const key of path) {
    const table: unknown = typeof key === "number" && at?.items !== undefined ? at.items : at?.properties;
    const next: unknown = typeof key === "number" && table === at?.items ? table : ownField(table, key);
    at = isJsonObject(next) ? next : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

function ownField(table: unknown, key: string | number): unknown {
  return isJsonObject(table) && Object.hasOwn(table, key) ? table[key] : undefined;
}
