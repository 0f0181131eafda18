import type { CallContext, Caller } from "./call_context.ts";
import type { Progress } from "./progress.ts";

/** What a nested call gets from the call above it. */
export interface ChildContextOptions {
  /** The tool that calls; it joins the chain. */
  readonly tool: string;
  /** Progress of the call above; notes of the nested call go there. Without it they are dropped. */
  readonly progress?: Progress;
  /** Ends the nested call besides the signal of the call above. */
  readonly signal?: AbortSignal;
}

/**
 * The context of a call that a tool makes: one deeper, with the caller above in the chain, the same far side (so
 * questions and logs reach the client from any depth and capabilities are its true ones), and progress that never
 * disturbs the values of the call above.
 */
export function childContext(ctx: CallContext, options: ChildContextOptions): CallContext {
  const { progress } = options;
  const caller: Caller = deriveCaller(ctx.caller, { progress: (update) => progress?.nested(update) });
  return {
    callId: crypto.randomUUID(),
    caller,
    signal: options.signal ?? ctx.signal,
    ...(ctx.deadline === undefined ? {} : { deadline: ctx.deadline }),
    depth: ctx.depth + 1,
    chain: [...ctx.chain, options.tool],
    // The token belongs to the outermost request: what travels on is what the client said about the work.
    meta: ctx.meta,
  };
}

/** The same context under a signal that ends earlier; its deadline stays the living one. */
export function withSignal(ctx: CallContext, signal: AbortSignal): CallContext {
  if (ctx.deadline === undefined) return { ...ctx, signal };
  return {
    ...ctx,
    signal,
    get deadline() {
      return ctx.deadline ?? Infinity;
    },
  };
}

/** A caller that differs from another in some of its methods; the prototype of the other is kept, so that its private state is too. */
export function deriveCaller(
  base: Caller,
  changes: Partial<Pick<Caller, "ask" | "progress" | "log">>,
): Caller {
  return {
    sessionId: base.sessionId,
    ...(base.client === undefined ? {} : { client: base.client }),
    capabilities: base.capabilities,
    clientCapabilities: base.clientCapabilities,
    roots: (signal) => base.roots(signal),
    ask: changes.ask ?? ((question, signal) => base.ask(question, signal)),
    progress: changes.progress ?? ((update) => base.progress(update)),
    log: changes.log ?? ((level, data, logger) => base.log(level, data, logger)),
    closeStream: () => base.closeStream?.(),
  };
}
