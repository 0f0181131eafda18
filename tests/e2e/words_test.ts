import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

// What built-in tools say to somebody who errs: the cause, and a next step that is true.

const CASES: readonly [tool: string, args: JsonObject, text: RegExp][] = [
  ["call_tool", {}, /^Cannot call call_tool: tool_name: is missing\. list_tools \{"query": "call_tool"/],
  ["call_tool", { name: "greet" }, /name: unknown field, tool_name may be meant/],
  ["call_tool", { tool_name: "gret" }, /there is no tool of that name\. Similar names: greet$/],
  ["call_tool", { tool_name: "zzzzz" }, /there is no tool of that name\. list_tools shows what there is$/],
  ["call_tool", { tool_name: "off" }, /it is disabled\. Set disabled to false in its manifest\.json$/],
  ["call_tool", { tool_name: "greet", version: "latest" }, /version "latest" of "greet": there is 1\.0\.0$/],
  ["register_script", { inputSchema: {} }, /inputSchema: unknown field, input_schema may be meant/],
  ["version", { action: "list", tool_name: "gret" }, /there is none of that name\. Similar names: greet$/],
  ["version", { action: "list", tool_name: "call_tool" }, /it belongs to the server, a made tool is wanted$/],
  ["version", { action: "roll", tool_name: "greet" }, /action: expected one of "list"\|"info"/],
  [
    "activate_skill",
    { name: "register_script" },
    /tool of the skill "dev"\. Use activate_skill \{"name": "dev"\}$/,
  ],
  [
    "activate_skill",
    { name: "nobody" },
    /no skill or bundle has that name\. There are: @dev-full, dev, sys, memory/,
  ],
  ["delete_tool", { tool_name: "call_tool" }, /it is built in, only made tools can be deleted$/],
  ["build_tool", { name: "mod", description: "d", code: "no Rust" }, /it exists as version 1\.0\.0/],
  ["build_tool", { name: "greet", description: "d", code: "no Rust" }, /a script tool has that name/],
  ["memory", {}, /action: is missing, expected one of "store"\|"get"/],
  ["execute_code", { code: "1", timeout: -1 }, /timeout: must be >0/],
];

Deno.test("built-in tools name the cause of a failure and a next step", async (t) => {
  await using dir = await tempDir();
  const tool = (name: string, more: JsonObject) => ({
    name,
    description: `The tool ${name}`,
    tool_type: "script",
    interpreter: "bash",
    ...more,
  });
  const folders = [
    ["greet", {}],
    ["off", { disabled: true }],
    ["mod", { tool_type: "wasm", entry_file: "mod.sh" }],
  ] as const;
  for (const [name, more] of folders) {
    await Deno.mkdir(join(dir.path, name), { recursive: true });
    await Deno.writeTextFile(join(dir.path, name, "manifest.json"), JSON.stringify(tool(name, more)));
    await Deno.writeTextFile(join(dir.path, name, `${name}.sh`), "read -r l; echo hello");
  }
  await using server = await startServer({ toolsDir: dir.path });
  for (const [tool, args, pattern] of CASES) {
    await t.step(`${tool} ${JSON.stringify(args)}`, async () => {
      const result = await server.call(tool, args);
      assert.equal(result.isError, true, resultText(result));
      assert.match(resultText(result), pattern);
      assert.doesNotMatch(
        resultText(result),
        /\n\s+at |file:\/\/|undefined|\.ts:\d/,
        "nothing of the machine",
      );
    });
  }
  await t.step("what an error proposes works", async () => {
    const listed = await server.call("list_tools", { query: "call_tool", detail: "full" });
    assert.match(resultText(listed), /"tool_name"/);
    assert.match(await server.text("activate_skill", { name: "dev" }), /register_script/);
    assert.match(await server.text("activate_skill", { name: "memory" }), /memory/);
  });
  await t.step("list_tools does not say that a disabled tool can be called", async () => {
    const result = await server.call("list_tools", { type: "script" });
    assert.match(resultText(result), /- off: The tool off \[disabled; set disabled to false/);
    const rows = (result.structuredContent?.tools ?? []) as JsonObject[];
    assert.equal(rows.find(({ name }) => name === "off")?.disabled, true);
    assert.doesNotMatch(String(rows.find(({ name }) => name === "off")?.call), /call_tool/);
    assert.match(String(rows.find(({ name }) => name === "greet")?.call), /^call_tool /);
  });
});
