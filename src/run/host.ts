import type { JsonObject } from "../base/json.ts";
import type { MemoryStore } from "../memory/memory_store.ts";
import type { CallContext } from "./call_context.ts";
import type { CallTool } from "./runner.ts";

/** What running code may ask of the server; declared here, filled in by the composition root. */
export interface Host {
  /** Key-value memory; the namespace is always that of the tool that asks. */
  readonly memory: Pick<MemoryStore, "get" | "set" | "list" | "delete">;
  /** Calls any tool, with the rights of the called one. */
  readonly callTool: CallTool;
  /** The resources that the caller's session sees, as MCP's `{resources: […]}`. */
  listResources(ctx: CallContext): Promise<JsonObject>;
  /** One resource, as MCP's `{contents: […]}`. Throws `SkillzError("not_found")`. */
  readResource(uri: string, ctx: CallContext): Promise<JsonObject>;
}
