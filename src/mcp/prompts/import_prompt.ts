import { SkillzError } from "../../base/errors.ts";
import { fillTemplate } from "../../guide/fill_template.ts";
import text from "../../guide/prompts/import_mcp_server.md" with { type: "text" };

const PYTHON = (module: string) =>
  `import sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from skillz import tool

SERVER = StdioServerParameters(command=sys.executable, args=["-m", ${JSON.stringify(module)}])

@tool
async def main(args: dict) -> dict:
    async with stdio_client(SERVER) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        if not args.get("tool"):
            return {"tools": [one.model_dump(mode="json") for one in (await session.list_tools()).tools]}
        result = await session.call_tool(args["tool"], args.get("arguments") or {})
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)`;

const NODE = (name: string) =>
  `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tool } from "skillz";

// Dependencies of the tool are there.
const home = join(process.env.NODE_PATH, ${JSON.stringify(name)});
const { bin } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const program = join(home, typeof bin === "string" ? bin : Object.values(bin)[0]);

tool(async ({ tool, arguments: args }) => {
  const client = new Client({ name: "skillz", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env: { ...process.env } }));
  try {
    return tool ? await client.callTool({ name: tool, arguments: args ?? {} }) : await client.listTools();
  } finally {
    await client.close();
  }
});`;

const RUNNERS = {
  uvx: "python",
  pip: "python",
  python: "python",
  npx: "node",
  npm: "node",
  node: "node",
} as const;

/** The text of `import_mcp_server`: how to make a tool of a packaged MCP server, for Python (uvx) or Node (npx). */
export function importPrompt(args: Readonly<Record<string, string>>): string {
  const { name = "", package: wanted = "", runner } = args;
  const word = runner ?? (wanted.startsWith("@") ? "npx" : "uvx");
  if (!Object.hasOwn(RUNNERS, word)) {
    const known = Object.keys(RUNNERS).join(", ");
    throw new SkillzError(
      "invalid_input",
      `Cannot get prompt "import_mcp_server": runner is "${word}", known are ${known}`,
    );
  }
  const bare = wanted.replace(/(?<=.)@[^/]*$/, "").replace(/[=<>~!\[].*$/, "");
  const python = RUNNERS[word as keyof typeof RUNNERS] === "python";
  return fillTemplate(text, {
    name,
    package: wanted,
    language: python ? "python" : "javascript",
    interpreter: python ? "python3" : "node",
    code: python ? PYTHON(bare.replaceAll("-", "_")) : NODE(bare),
    dependencies: JSON.stringify(python ? ["mcp", wanted] : ["@modelcontextprotocol/sdk@1", wanted]),
  });
}
