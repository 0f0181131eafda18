import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { CLASSIC_TOOLS, type ConformanceTool, MODERN_TOOLS, OFFERING_TOOLS, TASK_TOOLS } from "./_tools.ts";

const PRELUDE = new URL("./_prelude.py", import.meta.url);

/** Makes every fixture that the suite calls, over MCP, on a server that has none. */
export async function seed(base: string): Promise<void> {
  const client = new Client({ name: "seed", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`)));
  const prelude = await Deno.readTextFile(PRELUDE);
  try {
    const known = new Set((await client.listTools()).tools.map(({ name }) => name));
    for (const tool of [...CLASSIC_TOOLS, ...MODERN_TOOLS, ...TASK_TOOLS, ...OFFERING_TOOLS]) {
      assert.ok(!known.has(tool.name));
      await register(client, { tool, prelude });
    }
  } finally {
    await client.close();
  }
}

async function register(
  client: Client,
  { tool, prelude }: { tool: ConformanceTool; prelude: string },
): Promise<void> {
  const { name, code, more } = tool;
  const result = await client.callTool({
    name: "register_script",
    arguments: {
      name,
      description: `What the suite calls ${name}`,
      interpreter: "python3",
      code: `${prelude}\n${code}\n`,
      core: true,
      ...more,
    },
  });
  assert.ok(!result.isError, JSON.stringify(result.content));
}
