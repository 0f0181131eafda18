import { type InputRequiredResult, MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { ToolResult } from "../base/tool_result.ts";
import type { AnswerableRequest } from "./answerable_request.ts";
import { TASKS_EXTENSION } from "./identity.ts";
import { askInAnswer, resumeCall, type RoundsDeps, startCall } from "./rounds.ts";
import type { TaskStore } from "./task_store.ts";

/**
 * Questions that a call asks within this time, and before it reports progress, come before its task, in milliseconds.
 * Enough for a program to start.
 */
const FIRST_QUESTIONS_MS = 2_000;

/** Whether a client knows tasks. */
export function knowsTasks(declared: JsonObject): boolean {
  return isJsonObject(declared.extensions) && declared.extensions[TASKS_EXTENSION] !== undefined;
}

/** Throws the error that names the missing capability when a client does not know tasks. */
export function assertKnowsTasks(declared: JsonObject): void {
  if (knowsTasks(declared)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

/** What {@linkcode runAsTask} needs besides the request. */
export interface RunAsTaskOptions {
  readonly deps: RoundsDeps & { readonly tasks: TaskStore };
  /** Whether the tool runs in no other way. Then what it asks first is asked before the task begins. */
  readonly required: boolean;
  /** The result as this era's clients want it. */
  readonly project: (result: ToolResult) => object;
}

/** Starts a tool call whose outcome the client asks for later; answers with the task, or with first questions. */
export async function runAsTask(
  request: AnswerableRequest<ToolResult>,
  { deps, required, project }: RunAsTaskOptions,
): Promise<JsonObject | InputRequiredResult> {
  const resumed = resumeCall(request, deps);
  const parked = resumed ?? startCall(request);
  if (required && !resumed) {
    const { promise: working, resolve } = Promise.withResolvers<void>();
    parked.caller.bind({ progress: () => resolve(), log: () => resolve(), close: () => {} }, "debug");
    // What the call throws meanwhile belongs to the task.
    const step = await parked.call.glance(FIRST_QUESTIONS_MS, working).catch(() => undefined);
    if (step?.kind === "asks") return await askInAnswer(parked, { request, deps, questions: step.questions });
  }
  const task = deps.tasks.begin(parked, project);
  return { resultType: "task", ...task.summary, status: "working" };
}
