import type { JsonObject } from "../base/json.ts";
import type { CallTool } from "../run/runner.ts";
import type { Tool } from "../tools/tool.ts";
import type { BuiltinTable } from "./builtin_table.ts";
import type { ToolFacts, ToolListing, ToolsPort } from "./ports.ts";

/** What {@linkcode createToolsPort} joins. */
export interface ToolsPortDeps {
  readonly builtins: BuiltinTable;
  /** Tools made by users. */
  readonly made: { get(name: string): Tool | undefined; list(): readonly Tool[] };
  readonly call: CallTool;
  /** What is wrong with a value by a JSON Schema. */
  readonly problems: (schema: JsonObject, value: JsonObject) => Promise<readonly string[]>;
}

/** Built-in tools in their own order, then made ones by name; each visible when its skill is active or always. */
export function createToolsPort({ builtins, made, call, problems }: ToolsPortDeps): ToolsPort {
  // A tool never changes, an update makes a new one: its listing can be kept for as long as it lives.
  const known = new WeakMap<Tool, ToolListing>();
  const listingOf = (tool: Tool): ToolListing => {
    const listing = known.get(tool) ?? describe(tool);
    known.set(tool, listing);
    return listing;
  };
  return {
    call,
    list(active) {
      const own = builtins.names().filter((name) => {
        const skill = builtins.get(name)?.skill;
        return skill === "always" || (skill !== undefined && active.has(skill));
      });
      const users = made.list().filter((tool) => isVisible(tool, active));
      return [
        ...own.map((name) => builtins.listing(name)).filter((one) => one !== undefined),
        ...users.map(listingOf),
      ];
    },
    outputFaults(name, data) {
      const schema = builtins.listing(name)?.outputSchema ?? made.get(name)?.manifest.output_schema;
      return schema === undefined ? Promise.resolve([]) : problems(schema, data);
    },
    facts(name) {
      const builtin = builtins.get(name);
      const listing = builtins.listing(name);
      if (builtin && listing) {
        return {
          inputSchema: listing.inputSchema,
          ...(listing.outputSchema ? { outputSchema: listing.outputSchema } : {}),
          task: "none",
          repeatable: isRepeatable(builtin.annotations),
        };
      }
      const tool = made.get(name);
      return tool ? factsOf(tool) : undefined;
    },
  };
}

/** Whether a made tool shows in `tools/list` while these skills are active. */
export function isVisible({ name, manifest }: Tool, active: ReadonlySet<string>): boolean {
  return !manifest.disabled && manifest.tool_type !== "knowledge" && (manifest.core || active.has(name));
}

function factsOf({ manifest }: Tool): ToolFacts {
  return {
    inputSchema: manifest.input_schema,
    ...(manifest.output_schema ? { outputSchema: manifest.output_schema } : {}),
    task: manifest.task,
    repeatable: isRepeatable(manifest.annotations ?? {}),
  };
}

function isRepeatable(annotations: { readOnlyHint?: boolean; idempotentHint?: boolean }): boolean {
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}

function describe({ name, manifest }: Tool): ToolListing {
  const { title, description, input_schema, output_schema, annotations, icons } = manifest;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: input_schema,
    ...(output_schema === undefined ? {} : { outputSchema: output_schema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
  };
}
