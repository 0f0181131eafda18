import assert from "node:assert/strict";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test({
  name: "what another server or a person puts into TOOLS_DIR can be called, also without hot reload",
  ignore: needs("bash"),
  async fn(t) {
    await using dir = await tempDir();
    await using one = await startServer({ toolsDir: dir.path });
    await using two = await startServer({ toolsDir: dir.path });
    const script = (text: string) => ({
      name: "shared",
      description: text,
      interpreter: "bash",
      code: `read -r l; echo ${text}`,
      overwrite: true,
    });
    await two.text("list_tools");

    await t.step("a tool that the other server made", async () => {
      await one.text("register_script", script("first"));
      assert.equal(await two.text("call_tool", { tool_name: "shared" }), "first");
      assert.match(await two.text("list_tools", { type: "script" }), /shared/);
    });
    await t.step("its history, and a way back that tells the truth", async () => {
      await one.text("register_script", script("second"));
      assert.match(
        await two.text("version", { action: "list", tool_name: "shared" }),
        /^1\.0\.1 \(current\)/,
      );
      await one.text("register_script", script("third"));
      const back = await two.text("version", { action: "rollback", tool_name: "shared", version: "1.0.0" });
      assert.match(back, /kept as 1\.0\.2$/);
      assert.equal(await two.text("call_tool", { tool_name: "shared" }), "first");
    });
    await t.step("an edit by hand is kept under a number that a rollback tells", async () => {
      await Deno.writeTextFile(join(dir.path, "shared", "shared.sh"), "echo by hand");
      const back = await two.text("version", { action: "rollback", tool_name: "shared", version: "1.0.1" });
      const [, kept = ""] = /kept as ([\d.]+)$/.exec(back) ?? [];
      assert.equal(await two.text("call_tool", { tool_name: "shared" }), "second");
      assert.equal(await two.text("call_tool", { tool_name: "shared", version: kept }), "by hand");
    });
    await t.step("a folder made by hand, and one that can't be loaded with its reason", async () => {
      const put = async (name: string, manifest: string) => {
        await Deno.mkdir(join(dir.path, name));
        await Deno.writeTextFile(join(dir.path, name, `${name}.sh`), "echo by hand");
        await Deno.writeTextFile(join(dir.path, name, "manifest.json"), manifest);
      };
      await put(
        "hand",
        '{"name":"hand","description":"d","tool_type":"script"}'.replace("}", ',"entry_file":"hand.sh"}'),
      );
      assert.equal(await one.text("call_tool", { tool_name: "hand" }), "by hand");
      await put("bad", "{");
      const bad = await one.call("call_tool", { tool_name: "bad" });
      assert.match(
        resultText(bad),
        /^Cannot call "bad": its folder can't be loaded, manifest\.json is no JSON/,
      );
    });
    await t.step("and what is not there stays not there", async () => {
      for (const name of ["nobody", "../shared", ".versions", "", "a/b"]) {
        const result = await one.call("call_tool", { tool_name: name });
        assert.equal(result.isError, true, name);
      }
    });
  },
});
