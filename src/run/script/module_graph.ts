import type { Access } from "../../sandbox/permissions.ts";
import type { Tool } from "../../tools/tool.ts";

/** What is known about the run whose modules are looked at. */
export interface ModuleGraphRequest {
  /** Absolute path of the entry module. */
  readonly entry: string;
  readonly access: Access;
  /** Import map that the run gets. */
  readonly importMap: string;
  readonly signal: AbortSignal;
}

/** Looks at what the modules of a Deno tool import, once for each version of the tool. */
export interface ModuleGraphCheck {
  /** Throws `SkillzError("denied")` naming the module when the static graph reads a file that is not granted. */
  check(tool: Tool, request: ModuleGraphRequest): Promise<void>;
}
