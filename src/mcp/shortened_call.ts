import type { Logger } from "../base/log.ts";
import { errorText } from "../base/errors.ts";
import type { LargeResults } from "../run/large_results.ts";
import type { CallTool } from "../run/runner.ts";
import { shortenResult } from "../run/shorten_result.ts";

/** What {@linkcode createShortenedCall} needs. */
export interface ShortenedCallDeps {
  readonly call: CallTool;
  readonly results: LargeResults;
  readonly logger: Logger;
  /** Whether a tool promises what its data look like, so that clients want them whole. */
  promisesData(name: string): boolean;
}

/** Built-in tools that hand another's result on. */
const PASS_ON: ReadonlySet<string> = new Set(["call_tool", "call_tool_internal"]);

/**
 * The way clients call tools: results that are too long for a conversation are shortened. What tools call among
 * themselves is whole.
 */
export function createShortenedCall(deps: ShortenedCallDeps): CallTool {
  return async (name, args, ctx, options) => {
    const result = await deps.call(name, args, ctx, options);
    const maker = PASS_ON.has(name) ? String(args.tool_name) : name;
    try {
      return await shortenResult(result, {
        results: deps.results,
        sessionId: ctx.caller.sessionId,
        wholeData: deps.promisesData(maker),
      });
    } catch (error) {
      deps.logger.warn("Cannot keep a large result, it is sent whole", {
        tool: maker,
        reason: errorText(error),
      });
      return result;
    }
  };
}
