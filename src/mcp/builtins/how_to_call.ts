import type { JsonObject } from "../../base/json.ts";
import type { Tool } from "../../tools/tool.ts";
import { createValidator } from "../../tools/validator.ts";
import { exampleArguments } from "./_example_arguments.ts";

/** How a tool that was just made can be called now. */
export interface CallNow {
  /** In words for a model. */
  readonly text: string;
  /** The call as data. */
  readonly call: JsonObject;
}

/**
 * How a tool that was just made can be called now: a call that works exactly as it is written. Many clients ignore
 * `tools/list_changed`, so `call_tool` comes first.
 */
export async function howToCallNow({ name, manifest }: Tool): Promise<CallNow> {
  const args = await workingArguments(manifest);
  const call = args === undefined
    ? `Call it now: call_tool {"tool_name": "${name}", "arguments": {…}} with arguments that fit its input_schema.`
    : `Call it now: call_tool {"tool_name": "${name}", "arguments": ${JSON.stringify(args)}}.`;
  return {
    text: manifest.core
      ? `${call} It is listed in tools/list too.`
      : `${call} activate_skill {"name": "${name}"} lists it in tools/list.`,
    call: {
      tool: "call_tool",
      arguments: { tool_name: name, ...(args === undefined ? {} : { arguments: args }) },
    },
  };
}

/** Arguments that the tool's schema lets through; undefined when none could be made up. */
async function workingArguments(manifest: Tool["manifest"]): Promise<JsonObject | undefined> {
  const shown = manifest.examples.find(({ expect }) => expect?.error === undefined);
  if (shown) return shown.arguments;
  const args = exampleArguments(manifest.input_schema);
  const problems = await createValidator().problems(manifest.input_schema, args).catch(() => [""]);
  return problems.length === 0 ? args : undefined;
}
