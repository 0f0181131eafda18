import { fillTemplate } from "../../guide/fill_template.ts";
import guide from "../../guide/guide.md" with { type: "text" };
import protocol from "../../guide/protocol.md" with { type: "text" };
import { renderExamples } from "../../guide/render_examples.ts";
import manifestSchema from "../../../schemas/manifest.schema.json" with { type: "text" };
import type { BrokenTool, Tool } from "../../tools/tool.ts";
import type { ResourceContents, ResourceListing } from "../ports.ts";
import type { ResourceProvider } from "./resource_provider.ts";

/** What the guide is built from, read anew for each reading. */
export interface GuideResourcesDeps {
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

const MARKDOWN = "text/markdown";

const LISTINGS: readonly ResourceListing[] = [
  {
    uri: "skillz://guide",
    name: "guide",
    title: "How to make tools",
    description: "Read this first: how to write each kind of tool, and what is here now",
    mimeType: MARKDOWN,
  },
  {
    uri: "skillz://examples",
    name: "examples",
    title: "Example tools",
    description: "Tools in several languages, ready to register",
    mimeType: MARKDOWN,
  },
  {
    uri: "skillz://protocol",
    name: "protocol",
    title: "Script protocol",
    description: "What a script and the server say to each other, line by line",
    mimeType: MARKDOWN,
  },
  {
    uri: "skillz://schemas/manifest",
    name: "manifest-schema",
    title: "Schema of manifest.json",
    description: "JSON Schema of a tool's manifest",
    mimeType: "application/schema+json",
  },
];

/** `skillz://guide`, `skillz://examples`, `skillz://protocol`, `skillz://schemas/manifest`. */
export function createGuideResources(deps: GuideResourcesDeps): ResourceProvider {
  const texts: Readonly<Record<string, () => Promise<string> | string>> = {
    "skillz://guide": () => guideText(deps),
    "skillz://examples": () => renderExamples(),
    "skillz://protocol": () => protocol,
    "skillz://schemas/manifest": () => manifestSchema,
  };
  return {
    list: () => LISTINGS,
    templates: () => [],
    async read(uri): Promise<readonly ResourceContents[] | undefined> {
      const listing = LISTINGS.find((one) => one.uri === uri);
      const text = await texts[uri]?.();
      if (text === undefined || listing?.mimeType === undefined) return undefined;
      return [{ uri, mimeType: listing.mimeType, text }];
    },
    affected: (event) => event.kind === "memory" ? [] : ["skillz://guide"],
  };
}

async function guideText(deps: GuideResourcesDeps): Promise<string> {
  return fillTemplate(guide, {
    default_permissions: deps.defaultPermissions,
    sandbox: await deps.sandbox(),
    state: stateText(deps),
  });
}

/** Beyond this many tools the guide names only how many there are; `list_tools` shows them all. */
const MOST_NAMED = 100;

function stateText(deps: GuideResourcesDeps): string {
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
