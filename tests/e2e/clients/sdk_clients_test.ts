import assert from "node:assert/strict";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { connectV1 } from "../../mcp/clients/_sdk_v1.ts";
import { connectV2 } from "../../mcp/clients/_sdk_v2.ts";
import type { CallResult, TestClient } from "../../mcp/clients/_test_client.ts";
import { needs } from "../../support/needs.ts";
import { runningWith } from "../../support/running_with.ts";
import { serverCommand, serverEnvironment } from "../../support/server.ts";
import { tempDir } from "../../support/temp_dir.ts";
import { waitFor } from "../../support/wait_for.ts";
import { FEATURE_TOOLS, LANGUAGE_TOOLS } from "./tools.ts";

type Command = { command: string; args: string[]; cwd: string; env: Record<string, string> };

const CLIENTS: Readonly<Record<string, (server: Command) => Promise<TestClient>>> = {
  "SDK v2, 2025-11-25": (server) => connectV2(new StdioV2(server), { modern: false, asks: true }),
  "SDK v2, 2026-07-28": (server) => connectV2(new StdioV2(server), { modern: true, asks: true }),
  "SDK v1": (server) => connectV1(new StdioV1(server), { asks: true }),
};

// The libraries' own transports leave a timer behind when they end their child.
const FOREIGN = { sanitizeOps: false, sanitizeResources: false };

const textOf = ({ content }: CallResult) => content[0]?.text ?? "";

for (const [label, connect] of Object.entries(CLIENTS)) {
  Deno.test(`${label} makes and calls tools in every language`, {
    ...FOREIGN,
    ignore: needs("python3", "bash"),
  }, async (t) => {
    await using dir = await tempDir();
    const env = serverEnvironment({ HOME: dir.path, TOOLS_DIR: `${dir.path}/tools` });
    await using client = await connect({ ...serverCommand(), cwd: dir.path, env });
    const call = (tool: string, args = {}, options = {}) =>
      client.call("call_tool", { tool_name: tool, arguments: args }, options);

    await t.step("lists the tools that are always there", async () => {
      assert.ok((await client.listTools()).includes("call_tool"));
      await client.call("activate_skill", { name: "dev" });
      assert.ok((await client.listTools()).includes("register_script"));
    });
    for (const tool of LANGUAGE_TOOLS) {
      await t.step({
        name: tool.name,
        ignore: needs(tool.needs),
        fn: () => makeAndCall(client, tool.name, tool.arguments),
      });
    }
    await t.step("makes the tools that use the rest", async () => {
      for (const args of FEATURE_TOOLS) {
        const made = await client.call("register_script", args);
        assert.notEqual(made.isError, true, textOf(made));
      }
    });
    await t.step("gets a failure as a result", async () => {
      const failed = await call("fails");
      assert.equal(failed.isError, true);
      assert.match(textOf(failed), /ValueError: it broke/);
    });
    await t.step("gets rising progress", async () => {
      const progressOf = async () => {
        const seen: number[] = [];
        await call("steps", {}, { onprogress: ({ progress }: { progress: number }) => seen.push(progress) });
        return seen;
      };
      // A busy machine may deliver the last of it together with the answer, see the tool.
      let seen = await progressOf();
      for (let tries = 1; tries < 3 && seen.length < 3; tries++) seen = await progressOf();
      assert.deepEqual(seen, [1, 2, 3]);
    });
    await t.step("answers elicitation, sampling, roots, also from a nested call", async () => {
      assert.deepEqual((await call("asks_name")).structuredContent, { name: "Ada" });
      assert.equal(textOf(await call("asks_model")), "Paris");
      assert.deepEqual(JSON.parse(textOf(await call("asks_roots"))), ["file:///tmp/work"]);
      assert.deepEqual((await call("nested")).structuredContent, { name: "Ada" });
    });
    await t.step("cancels a call and its whole tree", async () => {
      const word = `skz${crypto.randomUUID().slice(0, 8)}`;
      const cancel = new AbortController();
      const waiting = call("for_ever", { word }, { signal: cancel.signal });
      await waitFor(async () => (await runningWith(word)).length === 2, { timeoutMs: 30_000 });
      cancel.abort(new Error("Enough"));
      await assert.rejects(waiting);
      await waitFor(async () => (await runningWith(word)).length === 0, { timeoutMs: 30_000 });
    });
  });
}

async function makeAndCall(client: TestClient, name: string, args: object): Promise<void> {
  const made = await client.call("register_script", { ...args });
  assert.notEqual(made.isError, true, textOf(made));
  const result = await client.call(name, { said: "grüezi" });
  assert.deepEqual(result.structuredContent, { said: "grüezi" }, textOf(result));
}
