import type { JsonObject } from "../../base/json.ts";

/** A tool as generated code sees it. */
export interface CodeTool {
  /** Name to call it by. */
  readonly name: string;
  /** For people and models. */
  readonly description: string;
  /** Root `type: object`. */
  readonly inputSchema: JsonObject;
  /** Of its structured result, where the tool says so. */
  readonly outputSchema?: JsonObject;
  /** An imported server's prefix: the tool is then also `tools.<namespace>.<rest of the name>`. */
  readonly namespace?: string;
}

/** Words that a generated name must not be, in either language. */
const RESERVED = new Set(
  ("search and as assert async await break case catch class const continue debugger def default del delete do elif else " +
    "enum except export extends False false finally for from function global if import in instanceof is lambda let new " +
    "None nonlocal not null or pass raise return super switch this throw True true try typeof var void while with yield")
    .split(" "),
);

/** Whether `tools.<name>` may be written with a dot: an identifier that is no reserved word. */
export function isPlainIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !RESERVED.has(name);
}

/** The name of a tool inside its namespace, e.g. `get_current_time` of `time_get_current_time`; undefined without one. */
export function nameInNamespace(tool: CodeTool): string | undefined {
  if (tool.namespace === undefined || !tool.name.startsWith(`${tool.namespace}_`)) return undefined;
  const rest = tool.name.slice(tool.namespace.length + 1);
  return rest === "" ? undefined : rest;
}

/**
 * The tools whose names occur in the code, so that a thousand tools cost no more to check than the three in use.
 * A name inside a string or comment is a false alarm that only adds a declaration.
 */
export function toolsMentioned(code: string, tools: readonly CodeTool[]): CodeTool[] {
  const words = new Set(code.match(/[A-Za-z0-9_-]+/g));
  return tools.filter((tool) => {
    if (words.has(tool.name) || code.includes(tool.name)) return true;
    const inner = nameInNamespace(tool);
    return inner !== undefined && tool.namespace !== undefined && words.has(tool.namespace) &&
      words.has(inner);
  });
}
