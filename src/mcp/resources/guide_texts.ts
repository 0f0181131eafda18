import { fillTemplate } from "../../guide/fill_template.ts";
import guide from "../../guide/guide.md" with { type: "text" };
import protocol from "../../guide/protocol.md" with { type: "text" };
import { renderExamples } from "../../guide/render_examples.ts";
import manifestSchema from "../../../schemas/manifest.schema.json" with { type: "text" };
import type { BrokenTool, Tool } from "../../tools/tool.ts";

/** What the guide is built from, read anew for each reading. */
export interface GuideDeps {
  /** Made tools, by name. */
  tools(): readonly Tool[];
  /** Folders that could not be loaded. */
  broken(): readonly BrokenTool[];
  /** What keeps a tool that was loaded from working now, one line each. */
  problems(tool: Tool): readonly string[];
  /** What can be activated. */
  skills(): readonly { name: string; description: string }[];
  /** What holds for tools without `permissions`, in words. */
  readonly defaultPermissions: string;
  /** The sandbox in force, in words. */
  sandbox(): Promise<string>;
}

/** The texts for whoever writes tools, by their URI; loaded when one is read. */
export const GUIDE_TEXTS: Readonly<Record<string, (deps: GuideDeps) => Promise<string> | string>> = {
  "skillz://guide": guideText,
  "skillz://examples": () => renderExamples(),
  "skillz://protocol": () => protocol,
  "skillz://schemas/manifest": () => manifestSchema,
};

async function guideText(deps: GuideDeps): Promise<string> {
  return fillTemplate(guide, {
    default_permissions: deps.defaultPermissions,
    sandbox: await deps.sandbox(),
    state: stateText(deps),
  });
}

/** Beyond this many tools the guide names only how many there are; `list_tools` shows them all. */
const MOST_NAMED = 100;

function stateText(deps: GuideDeps): string {
  const tools = deps.tools();
  const lines = tools.slice(0, MOST_NAMED).map((tool) => {
    const { tool_type, version, description } = tool.manifest;
    const problems = deps.problems(tool);
    const broken = problems.length ? ` [broken: ${problems.join("; ")}]` : "";
    return `- ${tool.name} (${tool_type}, ${version}): ${description}${broken}`;
  });
  if (tools.length > MOST_NAMED) lines.push(`- … and ${tools.length - MOST_NAMED} more, see list_tools`);
  const parts = [tools.length ? `Tools:\n\n${lines.join("\n")}` : "No tools have been made yet."];
  const skills = deps.skills().slice(0, MOST_NAMED);
  if (skills.length) {
    parts.push(`Skills:\n\n${skills.map((s) => `- ${s.name}: ${s.description}`).join("\n")}`);
  }
  const broken = deps.broken();
  if (broken.length) {
    parts.push(
      `Folders that could not be loaded:\n\n${broken.map((b) => `- ${b.folder}: ${b.reason}`).join("\n")}`,
    );
  }
  return parts.join("\n\n");
}
