import assert from "node:assert/strict";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { parseManifest } from "../../src/tools/manifest.ts";
import { unkeptFields } from "../../src/tools/unkept_fields.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("unkeptFields() finds nothing in what the defaults give, for any type", () => {
  for (const tool_type of ["script", "wasm", "knowledge"]) {
    for (const interpreter of ["python3", "deno run", "node", "C:\\bin\\node.exe", "constructor"]) {
      const manifest = { name: "x", description: "d", tool_type, interpreter, env: ["SKILLZ_KEY"] };
      assert.deepEqual(unkeptFields(parseManifest(manifest)), []);
    }
  }
});

Deno.test("a folder that asks for what no tool can have loads, works without it, and is told", async () => {
  await using dir = await tempDir();
  await Deno.mkdir(join(dir.path, "greedy"));
  const manifest = {
    name: "greedy",
    description: "d",
    tool_type: "script",
    interpreter: "bash",
    env: ["SKILLZ_AUTH_TOKEN", "SKILLZ_MINE"],
    limits: { open_files: 23 },
  };
  await Deno.writeTextFile(join(dir.path, "greedy", "manifest.json"), JSON.stringify(manifest));
  await Deno.writeTextFile(
    join(dir.path, "greedy", "greedy.sh"),
    'read -r l; echo "<$SKILLZ_AUTH_TOKEN$SKILLZ_MINE>"',
  );
  await using server = await startServer({
    toolsDir: dir.path,
    env: { SKILLZ_AUTH_TOKEN: "the token", SKILLZ_MINE: "mine" },
  });
  assert.equal(await server.text("call_tool", { tool_name: "greedy" }), "<mine>");
  const told = resultText(await server.call("list_tools", { type: "script" }));
  assert.match(told, /env\[0\]: SKILLZ_AUTH_TOKEN configures the server itself/);
  assert.match(told, /limits\.open_files: is 23, must be >=24/);
  assert.match(server.stderr(), /Tool greedy can't have what it asks for: env\[0\]: SKILLZ_AUTH_TOKEN/);
});
