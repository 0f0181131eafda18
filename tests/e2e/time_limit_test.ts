import assert from "node:assert/strict";
import { isJsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { startServer } from "../support/server.ts";

Deno.test("the result of a call that ran into its time limit says what was in force, in both lifecycles", async () => {
  await using server = await startServer();
  for (const lifecycle of ["fresh", "persistent"]) {
    await server.text("register_script", {
      name: lifecycle,
      description: "d",
      interpreter: "bash",
      code: "read -r line\nsleep 100\n",
      limits: { timeout_ms: 1500 },
      lifecycle,
    });
    const result = await server.call("call_tool", { tool_name: lifecycle });
    assert.equal(result.isError, true);
    assert.match(resultText(result), /limits\.timeout_ms is 1500/);
    const isolation = result._meta?.["skillz/isolation"];
    assert.ok(isJsonObject(isolation) && typeof isolation.mode === "string");
  }
});
