import { isInputRequiredResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isJsonObject } from "../../base/json.ts";
import type { ToolResult } from "../../base/tool_result.ts";
import type { CallContext } from "../../run/call_context.ts";
import { answerRequest } from "../answer_request.ts";
import type { AnswerableRequest } from "../answerable_request.ts";
import { isOurFault, toToolResult } from "../errors.ts";
import { fitFailure } from "../fit_failure.ts";
import { paginate } from "../paginate.ts";
import type { ToolFacts } from "../ports.ts";
import { assertKnowsTasks, knowsTasks, runAsTask } from "../run_as_task.ts";
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
    const fit = (result: ToolResult) => fitFailure(result, (data) => ports.tools.outputFaults(name, data));
    const request = {
      ctx,
      session,
      declared: scope.declared(ctx),
      subject: ["tools/call", name, args],
      repeatable: facts.repeatable,
      run: async (call: CallContext) => await fit(safeResult(await ports.tools.call(name, args, call))),
    };
    const project = (result: ToolResult) => scope.project(result, facts.outputSchema);
    try {
      if (runsAsTask(request, facts)) {
        return await runAsTask(request, { deps: scope, required: facts.task === "required", project });
      }
      const result = await answerRequest(request, scope);
      return isInputRequiredResult(result) ? result : project(result);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const cancelled = ctx.mcpReq.signal.aborted;
      if (isOurFault(error) && !cancelled) {
        logger.error("Tool call failed", { tool: name, reason: String(error) });
      }
      return project(await fit(toToolResult(error)));
    }
  });
}

/** Whether a call becomes a task. Throws when it must and the client knows none; the older era has no tasks. */
function runsAsTask({ session, declared }: AnswerableRequest<ToolResult>, { task }: ToolFacts): boolean {
  if (session.era === "legacy" || task === "none") return false;
  if (task === "required") assertKnowsTasks(declared);
  return knowsTasks(declared);
}
