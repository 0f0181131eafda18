import { SkillzError } from "../base/errors.ts";
import type { Tool, ToolType } from "./tool.ts";

/**
 * Refuses to make a tool the next version of one that is something else: whoever does that has mistaken the name, and
 * what runs, calls and confines the two has little in common.
 *
 * @throws `SkillzError("conflict")` that names what there is.
 */
export function checkKind(existing: Pick<Tool, "name" | "manifest"> | undefined, wanted: ToolType): void {
  if (existing === undefined || existing.manifest.tool_type === wanted) return;
  const { name, manifest } = existing;
  throw new SkillzError(
    "conflict",
    `Cannot save the ${wanted} tool "${name}": a ${manifest.tool_type} tool has that name, only one of its kind may replace it`,
    { hint: `Choose another name, or remove it first: delete_tool {"tool_name": "${name}"}` },
  );
}
