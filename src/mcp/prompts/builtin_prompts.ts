import { SkillzError } from "../../base/errors.ts";
import { fillTemplate } from "../../guide/fill_template.ts";
import apiTool from "../../guide/prompts/create_api_tool.md" with { type: "text" };
import pipeline from "../../guide/prompts/create_pipeline.md" with { type: "text" };
import pythonTool from "../../guide/prompts/create_python_tool.md" with { type: "text" };
import wasmTool from "../../guide/prompts/create_wasm_tool.md" with { type: "text" };
import improveTool from "../../guide/prompts/improve_tool.md" with { type: "text" };
import { writeManifest } from "../../tools/manifest.ts";
import type { Tool } from "../../tools/tool.ts";
import type { PromptListing } from "../ports.ts";
import { readToolFile } from "../resources/tool_file.ts";
import { sourceFileOf } from "../resources/source_file.ts";
import { importPrompt } from "./import_prompt.ts";
import { type PromptProvider, userMessage } from "./prompt_provider.ts";

/** What the server's own prompts show. */
export interface BuiltinPromptsDeps {
  tools: { get(name: string): Tool | undefined; list(): readonly Tool[] };
  /** The latest failures of a tool. */
  failures(name: string): readonly { at: string; version: string; text: string }[];
}

type Args = Readonly<Record<string, string>>;

interface BuiltinPrompt {
  readonly listing: PromptListing;
  text(args: Args, deps: BuiltinPromptsDeps): Promise<string> | string;
}

const name = { name: "name", description: "Name of the new tool", required: true };
const description = { name: "description", description: "What it shall do", required: true };

const PROMPTS: readonly BuiltinPrompt[] = [
  {
    listing: {
      name: "create_wasm_tool",
      title: "Make a Rust tool",
      description: "How to write a tool in Rust that runs as WebAssembly",
      arguments: [name, description, { name: "input_example", description: "Arguments of a call, as JSON" }],
    },
    text: (args) =>
      fillTemplate(wasmTool, { ...args, input_example: jsonOr(args.input_example, { text: "one two" }) }),
  },
  {
    listing: {
      name: "create_python_tool",
      title: "Make a Python tool",
      description: "How to write a tool in Python",
      arguments: [name, description, { name: "dependencies", description: "Packages, separated by commas" }],
    },
    text: (args) =>
      fillTemplate(pythonTool, { ...args, dependencies: JSON.stringify(words(args.dependencies)) }),
  },
  {
    listing: {
      name: "create_pipeline",
      title: "Make a pipeline",
      description: "How to join tools into one that runs them in order",
      arguments: [name, description, {
        name: "tools",
        description: "Tools to use, separated by commas",
        required: true,
      }],
    },
    text(args) {
      const [first = "", second = first] = words(args.tools);
      return fillTemplate(pipeline, { ...args, first_tool: first, second_tool: second });
    },
  },
  {
    listing: {
      name: "import_mcp_server",
      title: "Use an MCP server as a tool",
      description: "How to make a tool that hands calls on to the MCP server of a package",
      arguments: [
        name,
        { name: "package", description: "Package of the server, e.g. mcp-server-time", required: true },
        { name: "runner", description: "uvx for Python (default), npx for Node" },
      ],
    },
    text: importPrompt,
  },
  {
    listing: {
      name: "improve_tool",
      title: "Improve a tool",
      description: "Shows a tool's source and its recent failures, and asks for a better version",
      arguments: [{ name: "tool_name", description: "Tool to improve", required: true }],
    },
    text: improvePrompt,
  },
  {
    listing: {
      name: "create_api_tool",
      title: "Make a tool for a web API",
      description: "How to write a tool that talks to one host only",
      arguments: [name, { name: "api_url", description: "Address of the API", required: true }, description],
    },
    text: (args) => fillTemplate(apiTool, { ...args, host: hostOf(args.api_url ?? "") }),
  },
];

/** The server's own prompts: how to make and improve tools. */
export function createBuiltinPrompts(deps: BuiltinPromptsDeps): PromptProvider {
  return {
    list: () => PROMPTS.map(({ listing }) => listing),
    async get(wanted, args) {
      const prompt = PROMPTS.find(({ listing }) => listing.name === wanted);
      if (!prompt) {
        throw new SkillzError("not_found", `Cannot get prompt "${wanted}": there is no such prompt`);
      }
      return userMessage(await prompt.text(args, deps), prompt.listing.description);
    },
    complete(wanted, argument) {
      const isTool = wanted === "improve_tool" && argument.name === "tool_name";
      const isList = wanted === "create_pipeline" && argument.name === "tools";
      return Promise.resolve(isTool || isList ? deps.tools.list().map((tool) => tool.name) : []);
    },
  };
}

async function improvePrompt(args: Args, deps: BuiltinPromptsDeps): Promise<string> {
  const wanted = args.tool_name ?? "";
  const tool = deps.tools.get(wanted);
  if (!tool) {
    throw new SkillzError("invalid_input", `Cannot improve "${wanted}": there is no made tool of that name`, {
      hint: "list_tools shows what there is",
    });
  }
  const file = sourceFileOf(tool);
  const source = file === undefined ? "" : (await readToolFile(tool, file, { uri: file })).text ?? "";
  const failures = deps.failures(wanted).map(({ at, version, text }) =>
    `- ${at}, version ${version}: ${text}`
  );
  return fillTemplate(improveTool, {
    tool_name: wanted,
    version: tool.manifest.version,
    type: tool.manifest.tool_type,
    description: tool.manifest.description,
    manifest: JSON.stringify(writeManifest(tool.manifest), null, 2),
    file: file ?? "none",
    language: file?.split(".").at(-1) ?? "",
    source,
    failures: failures.length ? failures.join("\n") : "None since the server started.",
    save_with: SAVE_WITH[tool.manifest.tool_type],
  });
}

const SAVE_WITH: Readonly<Record<Tool["manifest"]["tool_type"], string>> = {
  script: "register_script",
  wasm: "build_tool",
  pipeline: "pipeline (action create)",
  mcp: "import_mcp",
  knowledge: "an edit of its SKILL.md",
};

function words(text: string | undefined): string[] {
  return (text ?? "").split(",").map((word) => word.trim()).filter(Boolean);
}

function jsonOr(text: string | undefined, fallback: object): string {
  try {
    return JSON.stringify(JSON.parse(text ?? ""));
  } catch {
    return JSON.stringify(fallback);
  }
}

function hostOf(url: string): string {
  if (URL.canParse(url)) return new URL(url).host;
  throw new SkillzError(
    "invalid_input",
    `Cannot get prompt "create_api_tool": api_url is not a URL, it must be like https://api.example.com`,
  );
}
