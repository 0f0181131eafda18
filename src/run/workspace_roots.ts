import type { CallContext } from "./call_context.ts";

/**
 * The workspace roots of a call: the client's own, else those of the server's configuration. The two are not mixed,
 * because the configured ones are only the folder that the server happened to start in when nothing is set.
 */
export async function workspaceRoots(
  ctx: CallContext,
  configured: readonly string[],
): Promise<readonly string[]> {
  return await ctx.caller.roots(ctx.signal) ?? configured;
}
