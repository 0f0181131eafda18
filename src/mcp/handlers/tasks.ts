import { ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { isJsonObject } from "../../base/json.ts";
import type { HandlerScope } from "../handler_scope.ts";
import { assertKnowsTasks } from "../run_as_task.ts";
import type { Task } from "../task.ts";

const params = z.looseObject({ taskId: z.string() });
const updateParams = z.looseObject({ taskId: z.string(), inputResponses: z.unknown().optional() });

/** Installs `tasks/get`, `tasks/update` and `tasks/cancel`, which belong to an extension of the newer era. */
export function handleTasks(scope: HandlerScope): void {
  if (scope.session.era === "legacy") return;

  scope.on("tasks/get", params, ({ taskId }, ctx) => ({
    resultType: "complete",
    ...find(scope, { taskId, ctx }).details,
  }));

  scope.on("tasks/update", updateParams, ({ taskId, inputResponses }, ctx) => {
    // The library takes answers out of the parameters of every request.
    const answers: unknown = ctx.mcpReq.inputResponses ?? inputResponses;
    find(scope, { taskId, ctx }).answer(isJsonObject(answers) ? answers : {});
    return { resultType: "complete" };
  });

  scope.on("tasks/cancel", params, ({ taskId }, ctx) => {
    find(scope, { taskId, ctx }).cancel();
    return { resultType: "complete" };
  });
}

function find(scope: HandlerScope, { taskId, ctx }: { taskId: string; ctx: ServerContext }): Task {
  assertKnowsTasks(scope.declared(ctx));
  const task = scope.tasks.get(taskId, scope.session.id);
  if (!task) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "Unknown task: it never was, or its time is over",
    );
  }
  return task;
}
