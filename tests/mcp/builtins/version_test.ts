import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../../src/base/tool_result.ts";
import { testApp } from "../../support/test_app.ts";

Deno.test("version list stays short however many versions there are, and the old ones are reached all the same", async () => {
  await using app = await testApp();
  const put = async (folder: string, version: string) => {
    const manifest = {
      name: "old",
      description: `Tells its version. ${"And more of it. ".repeat(100)}`,
      version,
      tool_type: "script",
      interpreter: "bash",
      entry_file: "x.sh",
    };
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "x.sh"), `read -r l; echo ${version}`);
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  };
  const home = join(app.toolsDir, "old");
  for (let n = 0; n < 150; n++) await put(join(home, ".versions", `1.0.${n}`), `1.0.${n}`);
  await put(home, "1.0.150");
  await app.app.store.refresh("old");
  const listed = await app.call("version", { action: "list", tool_name: "old" });
  const text = resultText(listed);
  assert.ok(text.length < 10_000, `${text.length} characters`);
  assert.match(text, /^1\.0\.150 \(current\) .*Tells its version\. And more of it\. …\n1\.0\.149 /);
  assert.match(text, /\nand 51 older ones, which info, diff and rollback know too$/);
  assert.equal(listed.structuredContent?.total, 151);
  const called = await app.call("call_tool", { tool_name: "old", version: "1.0.0" });
  assert.equal(resultText(called), "1.0.0");
  for (const args of [{ action: "info" }, { action: "rollback" }]) {
    const missing = await app.call("version", { ...args, tool_name: "old", version: "9.9.9" });
    assert.equal(missing.isError, true);
    assert.ok(resultText(missing).length < 500, resultText(missing));
    assert.match(resultText(missing), /1\.0\.150, 1\.0\.149/);
  }
});
