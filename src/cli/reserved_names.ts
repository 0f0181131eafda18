import { BUILTIN_NAMES } from "../mcp/builtin_names.ts";
import { VIRTUAL_SKILLS } from "../skills/catalog.ts";

/** Names that belong to the server itself: its tools, and the skills that they come in. No made tool may take one. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...BUILTIN_NAMES,
  ...Object.keys(VIRTUAL_SKILLS),
]);
