import assert from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { startServer } from "../support/server.ts";

Deno.test("a name that is mistyped is answered with those alike, whichever tool it is given to", async () => {
  await using server = await startServer();
  const said = async (tool: string, args: Record<string, string>) =>
    resultText(await server.call(tool, args));
  const tool = { name: "weather_now", description: "d", interpreter: "bash", code: "echo hi" };
  await server.text("register_script", tool);
  assert.match(await said("call_tool", { tool_name: "Wether_Now" }), /Similar names: weather_now/);
  assert.match(await said("call_tool", { tool_name: "register_scirpt" }), /Similar names: register_script/);
  assert.match(await said("delete_tool", { tool_name: "weathernow2" }), /Similar names: weather_now/);
  assert.match(await said("delete_tool", { tool_name: "zzz" }), /list_tools shows what there is/);
  assert.match(
    await said("version", { action: "list", tool_name: "wether_now" }),
    /Similar names: weather_now/,
  );
  assert.match(
    await said("list_tools", { query: "regsiter_script" }),
    /Similar names: register_script\. list_tools/,
  );
  assert.match(
    await said("list_tools", { skill: "nope" }),
    /No tools match\. list_tools \{\} shows every tool/,
  );
  assert.match(await said("call_tool", { tool_name: "dev" }), /it is a skill, no tool\. activate_skill/);
});
