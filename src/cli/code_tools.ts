import type { BuiltinTable } from "../mcp/builtin_table.ts";
import type { CodeTool } from "../run/code/code_tool.ts";
import type { KnownTool } from "../run/pipeline/known_tool.ts";
import type { ToolStore } from "../tools/tool_store.ts";

/** Where tools are looked up. */
export interface ToolSources {
  readonly store: Pick<ToolStore, "get" | "list">;
  /** Built-in tools. */
  listings(): BuiltinTable;
}

/** Every tool, as generated code sees it. */
export function codeTools({ store, listings }: ToolSources): CodeTool[] {
  const table = listings();
  const own = table.names().map((name) => table.listing(name)).filter((listing) => listing !== undefined);
  const made = store.list().filter(({ manifest }) =>
    !manifest.disabled && manifest.tool_type !== "knowledge"
  );
  return [
    ...own.map(({ name, description, inputSchema, outputSchema }) => ({
      name,
      description,
      inputSchema,
      ...(outputSchema === undefined ? {} : { outputSchema }),
    })),
    ...made.map(({ name, manifest }) => ({
      name,
      description: manifest.description,
      inputSchema: manifest.input_schema,
      ...(manifest.output_schema === undefined ? {} : { outputSchema: manifest.output_schema }),
    })),
  ];
}

/** What pipelines must know of a tool, made or built in. */
export function knownTool(name: string, { store, listings }: ToolSources): KnownTool | undefined {
  const listing = listings().listing(name);
  if (!listing) return store.get(name)?.manifest;
  const { inputSchema, outputSchema, annotations } = listing;
  return {
    input_schema: inputSchema,
    annotations,
    ...(outputSchema === undefined ? {} : { output_schema: outputSchema }),
  };
}
