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
    // Results of built-in tools hold more than their published schemas promise, so those can't be their types.
    ...own.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
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
  if (listing) return { input_schema: listing.inputSchema, annotations: listing.annotations };
  const manifest = store.get(name)?.manifest;
  return manifest?.disabled || manifest?.tool_type === "knowledge" ? undefined : manifest;
}
