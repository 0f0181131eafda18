import { z } from "zod";
import { SkillzError } from "../../base/errors.ts";
import { okResult } from "../../base/tool_result.ts";
import type { Builtin } from "../builtin.ts";

/** What `delete_tool` needs. */
export interface DeleteToolDeps {
  /** Whether a name is a built-in tool's, which can't be deleted. */
  isBuiltin(name: string): boolean;
  /** Removes the tool, its versions and its environment. Throws `not_found`. */
  remove(name: string): Promise<void>;
  /** Removes everything it stored; returns how many entries. */
  clearMemory(namespace: string): Promise<number>;
}

const input = z.strictObject({
  tool_name: z.string().min(1),
  delete_memory: z.boolean().default(false).describe("Also delete what the tool stored"),
});
const output = z.looseObject({ deleted: z.string() });

/** `delete_tool`: removes a tool with its versions and environment. */
export function createDeleteToolTool(deps: DeleteToolDeps): Builtin<typeof input> {
  return {
    name: "delete_tool",
    title: "Delete a tool",
    description:
      "Remove a tool with all its versions and its environment. Its stored memory stays unless delete_memory.",
    skill: "dev",
    input,
    output,
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async run(args) {
      if (deps.isBuiltin(args.tool_name)) {
        throw new SkillzError(
          "denied",
          `Cannot delete "${args.tool_name}": it is built in, only made tools can be deleted`,
        );
      }
      await deps.remove(args.tool_name);
      const entries = args.delete_memory ? await deps.clearMemory(args.tool_name) : 0;
      const text = `Deleted ${args.tool_name}${args.delete_memory ? ` and ${entries} memory entries` : ""}`;
      return okResult(text, { deleted: args.tool_name, memory_entries_deleted: entries });
    },
  };
}
