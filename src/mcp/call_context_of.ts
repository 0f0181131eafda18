import type { ServerContext } from "@modelcontextprotocol/server";
import { isJsonObject } from "../base/json.ts";
import type { CallContext, Caller } from "../run/call_context.ts";

/** What travels with a client's own call. */
export function callContext(
  ctx: ServerContext,
  { caller, signal }: { caller: Caller; signal: AbortSignal },
): CallContext {
  const meta: unknown = ctx.mcpReq._meta;
  return {
    callId: crypto.randomUUID(),
    caller,
    signal,
    depth: 0,
    chain: [],
    meta: isJsonObject(meta) ? meta : {},
  };
}
