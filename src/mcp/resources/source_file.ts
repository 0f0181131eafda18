import type { Tool } from "../../tools/tool.ts";

/** The file that holds a tool's source, relative to its folder; undefined when it has none. */
export function sourceFileOf({ manifest }: Tool): string | undefined {
  switch (manifest.tool_type) {
    case "wasm":
      return "src.rs";
    case "pipeline":
    case "mcp":
      return "manifest.json";
    default:
      return manifest.entry_file;
  }
}
