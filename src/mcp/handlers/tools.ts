import { isInputRequiredResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isJsonObject } from "../../base/json.ts";
import { paginate } from "../paginate.ts";
import { isOurFault, toToolResult } from "../errors.ts";
import { answerRequest } from "../answer_request.ts";
import { safeResult } from "../safe_result.ts";
import type { HandlerScope } from "../handler_scope.ts";

const listParams = z.looseObject({ cursor: z.string().optional() });
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/** Installs `tools/list` and `tools/call`. */
export function handleTools(scope: HandlerScope): void {
  const { ports, session, logger } = scope;

  scope.on("tools/list", listParams, ({ cursor }) => {
    const all = ports.tools.list(session.active);
    const { items, nextCursor } = paginate(all, { cursor, list: "tools", keyOf: (tool) => tool.name });
    return { tools: items, ...(nextCursor === undefined ? {} : { nextCursor }) };
  });

  scope.on("tools/call", callParams, async (params, ctx) => {
    const { name } = params;
    const args = isJsonObject(params.arguments) ? params.arguments : {};
    const facts = ports.tools.facts(name);
    if (!facts) {
      const text = `Unknown tool: ${name}. list_tools names every tool there is`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
    }
    try {
      const result = await answerRequest({
        ctx,
        session,
        declared: scope.declared(ctx),
        subject: ["tools/call", name, args],
        repeatable: facts.repeatable,
        run: async (call) => safeResult(await ports.tools.call(name, args, call)),
      }, scope);
      return isInputRequiredResult(result) ? result : scope.project(result, facts.outputSchema);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const cancelled = ctx.mcpReq.signal.aborted;
      if (isOurFault(error) && !cancelled) {
        logger.error("Tool call failed", { tool: name, reason: String(error) });
      }
      return scope.project(toToolResult(error), facts.outputSchema);
    }
  });
}
