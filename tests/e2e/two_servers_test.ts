import assert from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";
import { waitFor } from "../support/wait_for.ts";

const tool = (word: string) => ({
  name: "shared",
  description: "Is made in one editor and used in another",
  interpreter: "bash",
  code: `echo ${word}`,
  core: true,
});

Deno.test("what one server makes, mends and deletes works at once in another of the same TOOLS_DIR", {
  ignore: needs("bash"),
}, async () => {
  await using dir = await tempDir();
  let changes = 0;
  await using ours = await startServer({
    toolsDir: dir.path,
    prepare: (client) =>
      client.setNotificationHandler("notifications/tools/list_changed", () => void changes++),
  });
  await using theirs = await startServer({ toolsDir: dir.path });
  const listed = async () => (await ours.client.listTools()).tools.some(({ name }) => name === "shared");
  assert.equal(await listed(), false);

  await theirs.text("register_script", tool("one"));
  await waitFor(() => changes === 1, { timeoutMs: 20_000 });
  assert.equal(await listed(), true);
  assert.match(await ours.text("list_tools", { query: "shared" }), /shared/);
  assert.equal(await ours.text("shared"), "one");
  assert.match(await ours.text("execute_code", { code: "return await tools.shared({})" }), /^one\n/);

  await theirs.text("register_script", { ...tool("two"), overwrite: true });
  await waitFor(async () => await ours.text("shared") === "two", { timeoutMs: 20_000 });

  await theirs.text("delete_tool", { tool_name: "shared" });
  await waitFor(async () => !(await listed()), { timeoutMs: 20_000 });
  assert.match(resultText(await ours.call("call_tool", { tool_name: "shared" })), /no tool of that name/);
});
