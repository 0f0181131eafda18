import { z } from "zod";
import type { JsonObject } from "../../base/json.ts";
import type { CallTool } from "../../run/runner.ts";
import type { Builtin } from "../builtin.ts";

const input = z.strictObject({
  tool_name: z.string().min(1).describe("Name of the tool"),
  arguments: z.record(z.string(), z.unknown()).optional().describe("Its arguments"),
  version: z.string().optional().describe("An earlier version, see `version`"),
});

/** Which of the two names the tool goes by. */
export interface CallToolNames {
  /** Published name. */
  name: "call_tool" | "call_tool_internal";
}

/**
 * `call_tool`: runs any tool, visible or hidden, and hands its result on unchanged.
 * `call_tool_internal` is the same under the older edition's name.
 */
export function createCallToolTool(callTool: () => CallTool, { name }: CallToolNames): Builtin<typeof input> {
  return {
    name,
    title: "Call a tool",
    description: name === "call_tool"
      ? "Run any tool by name, also one that is not listed. Returns its result unchanged."
      : "The same as call_tool, under its older name.",
    skill: name === "call_tool" ? "always" : "sys",
    input,
    annotations: { openWorldHint: true },
    run(args, ctx) {
      const options = args.version === undefined ? {} : { version: args.version };
      return callTool()(args.tool_name, (args.arguments ?? {}) as JsonObject, ctx, options);
    },
  };
}
