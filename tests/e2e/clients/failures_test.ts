import assert from "node:assert/strict";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { connectV1 } from "../../mcp/clients/_sdk_v1.ts";
import { connectV2 } from "../../mcp/clients/_sdk_v2.ts";
import type { TestClient } from "../../mcp/clients/_test_client.ts";
import { needs } from "../../support/needs.ts";
import { serverCommand, serverEnvironment } from "../../support/server.ts";
import { tempDir } from "../../support/temp_dir.ts";

type Command = { command: string; args: string[]; cwd: string; env: Record<string, string> };

const CLIENTS: Readonly<Record<string, (server: Command) => Promise<TestClient>>> = {
  "SDK v1": (server) => connectV1(new StdioV1(server), { asks: true }),
  "SDK v2": (server) => connectV2(new StdioV2(server), { modern: true, asks: true }),
};

/** A tool whose failures carry data that is nothing like what it promises of its results. */
const STRICT = {
  name: "strict",
  description: "Promises a number and fails",
  interpreter: "python3",
  code: "import skillz\nskillz.tool(lambda args: 1 / 0)",
  output_schema: {
    type: "object",
    properties: { k: { type: "number" } },
    required: ["k"],
    additionalProperties: false,
  },
};

/** A call that fails, for each tool that is there, and what its text says. */
const FAILURES: readonly (readonly [tool: string, args: object, text: RegExp])[] = [
  ["strict", {}, /ZeroDivisionError/],
  ["call_tool", { tool_name: "strict" }, /ZeroDivisionError/],
  ["call_tool", { tool_name: "none" }, /none/],
  ["version", { action: "info", tool_name: "none" }, /none/],
  ["version", { action: "rollback", tool_name: "strict", version: "9.9.9" }, /9\.9\.9/],
  ["pipeline", { action: "show", name: "none" }, /none/],
  ["pipeline", { action: "run", name: "none" }, /none/],
  ["pipeline", { action: "create", name: "p", description: "p", steps: [{ tool: "none" }] }, /none/],
  ["pipeline", { action: "run", name: "fails" }, /ZeroDivisionError/],
  ["activate_skill", { name: "none" }, /none/],
  ["deactivate_skill", { name: "none" }, /none/],
  ["delete_tool", { tool_name: "none" }, /none/],
  ["register_script", { ...STRICT, name: "a b" }, /name/],
  ["register_script", { ...STRICT, name: "x", version: "one" }, /version/],
  ["build_tool", { name: "r", description: "r", code: "fn main( {" }, /error/],
  ["execute_code", { code: "throw new Error('lost')" }, /lost/],
  ["execute_code", { code: "const n: number = 'a'" }, /number/],
  ["memory", { action: "store" }, /key/],
  ["memory", { action: "get" }, /key/],
  ["suggest_skill", {}, /context/],
  ["list_tools", { detail: 3 }, /detail/],
  ["add_skill_repo", { url: "ftp://x" }, /ftp/],
];

for (const [label, connect] of Object.entries(CLIENTS)) {
  Deno.test(`${label} hears why a tool with an output schema failed`, {
    // The libraries' own transports leave a timer behind when they end their child.
    sanitizeOps: false,
    sanitizeResources: false,
    ignore: needs("python3", "rustc"),
  }, async () => {
    await using dir = await tempDir();
    const env = serverEnvironment({ HOME: dir.path, TOOLS_DIR: `${dir.path}/tools` });
    await using client = await connect({ ...serverCommand(), cwd: dir.path, env });
    await client.call("activate_skill", { name: "dev" });
    assert.notEqual((await client.call("register_script", STRICT)).isError, true);
    const pipeline = { action: "create", name: "fails", description: "Fails", steps: [{ tool: "strict" }] };
    assert.notEqual((await client.call("pipeline", pipeline)).isError, true);
    await client.call("activate_skill", { name: "strict" });
    // Clients hold results to the schemas that they have seen.
    const listed = await client.listTools();
    assert.ok(listed.includes("strict"), listed.join());
    for (const [tool, args, text] of FAILURES) {
      const what = `${tool} ${JSON.stringify(args)}`;
      const result = await client.call(tool, { ...args });
      const said = result.content.map((block) => block.text).join("\n");
      assert.equal(result.isError, true, `${what}: ${said}`);
      assert.match(said, text, `${what}: ${said}`);
    }
  });
}
