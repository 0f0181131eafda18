import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

const NAMES = [
  "../../x",
  "/etc/x",
  "a/../../b",
  "C:\\x",
  ".",
  "..",
  "",
  "a\0b",
  "CON",
  "-rf",
  "Ünïcode",
  "a b",
  "x".repeat(100),
];
const URIS = [
  "skillz://tools/../../etc/passwd",
  "skillz://tools/%2e%2e/%2e%2e/etc/passwd",
  "skillz://tools/canary/files/../../../canary.txt",
  "skillz://tools/canary/files/%2e%2e/%2e%2e/canary.txt",
  "skillz://tools/canary/files/..%2f..%2fcanary.txt",
  "skillz://memory/../../etc/passwd",
];

Deno.test("B49 names and addresses never lead out of TOOLS_DIR", async (t) => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "canary.txt"), "alive");
  await mkdir(join(dir.path, "x"));
  await using server = await startServer({ toolsDir: join(dir.path, "tools") });
  const code = "echo hi";
  await server.text("register_script", { name: "canary", description: "d", interpreter: "bash", code });

  for (const name of NAMES) {
    await t.step(`the name ${JSON.stringify(name)} is refused by every tool that takes one`, async () => {
      const calls: [string, Record<string, unknown>][] = [
        ["register_script", { name, description: "d", interpreter: "bash", code }],
        ["delete_tool", { tool_name: name }],
        ["version", { action: "list", tool_name: name }],
        ["version", { action: "rollback", tool_name: name, version: "1.0.0" }],
        ["call_tool", { tool_name: name }],
        ["activate_skill", { name }],
      ];
      for (const [tool, args] of calls) {
        const result = await server.call(tool, args);
        assert.equal(result.isError, true, `${tool}: ${resultText(result)}`);
      }
    });
  }
  for (const uri of URIS) {
    await t.step(`${uri} leads nowhere`, async () => {
      await assert.rejects(server.client.readResource({ uri }), /Cannot read|not found|Invalid/i);
    });
  }
  assert.deepEqual((await readdir(dir.path)).sort(), ["canary.txt", "tools", "x"]);
  assert.deepEqual(await readdir(join(dir.path, "x")), []);
  assert.equal(await Deno.readTextFile(join(dir.path, "canary.txt")), "alive");
});
