import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { tempDir } from "../support/temp_dir.ts";
import { testApp } from "../support/test_app.ts";
import { openStore, snapshot, write } from "./_support.ts";

const MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
/** The least of each type of tool. */
const DRAFTS: Readonly<Record<string, { manifest: JsonObject; files: Record<string, string | Uint8Array> }>> =
  {
    script: { manifest: { interpreter: "bash", entry_file: "x.sh" }, files: { "x.sh": "echo 1" } },
    wasm: { manifest: { entry_file: "x.wasm" }, files: { "x.wasm": MODULE } },
    pipeline: { manifest: { pipeline_steps: [{ tool: "list_tools" }] }, files: {} },
    mcp: { manifest: { mcp_server: { command: "x" } }, files: {} },
  };

Deno.test("B42 save() refuses to replace a tool by one of another type, and lets its own type", async (t) => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const draft = (type: string, name: string) => ({
    manifest: { name, description: "d", tool_type: type, ...DRAFTS[type]?.manifest },
    files: DRAFTS[type]?.files ?? {},
  });
  for (const type of Object.keys(DRAFTS)) await opened.store.save(draft(type, `a_${type}`));
  const kept = async () =>
    await Promise.all(Object.keys(DRAFTS).map((type) => snapshot(join(dir.path, `a_${type}`))));
  const before = await kept();
  for (const there of Object.keys(DRAFTS)) {
    for (const wanted of Object.keys(DRAFTS).filter((type) => type !== there)) {
      await t.step(`${there} by ${wanted}`, async () => {
        await assert.rejects(() => opened.store.save(draft(wanted, `a_${there}`), { overwrite: true }), {
          code: "conflict",
          message: new RegExp(`the ${wanted} tool "a_${there}": a ${there} tool has that name`),
          hint: /delete_tool \{"tool_name": "a_/,
        });
      });
    }
  }
  await t.step("nothing has changed", async () => assert.deepEqual(await kept(), before));
  for (const type of Object.keys(DRAFTS)) {
    const saved = await opened.store.save(draft(type, `a_${type}`), { overwrite: true });
    assert.equal(saved.manifest.version, "1.0.1");
  }
});

Deno.test("B42 save() never replaces a folder of knowledge", async () => {
  await using dir = await tempDir();
  await write(join(dir.path, "know"), { "SKILL.md": "---\nname: know\ndescription: d\n---\nText" });
  await using opened = await openStore(dir.path);
  const { manifest, files } = DRAFTS.script ?? { manifest: {}, files: {} };
  const draft = { manifest: { ...manifest, name: "know", description: "d", tool_type: "script" }, files };
  for (const overwrite of [false, true]) {
    await assert.rejects(() => opened.store.save(draft, { overwrite }), {
      message: /a folder of knowledge has that name/,
    });
  }
});

Deno.test("built-in tools tell of another type before they do any work", async () => {
  await using app = await testApp();
  const script = { description: "d", code: "echo hi", interpreter: "bash" };
  const steps = [{ name: "a", tool: "list_tools" }];
  await app.data("register_script", { ...script, name: "s" });
  await app.data("pipeline", { action: "create", name: "p", description: "d", steps });
  const tries: [tool: string, args: JsonObject, text: RegExp][] = [
    ["register_script", { ...script, name: "p" }, /a pipeline tool has that name.*delete_tool/s],
    ["build_tool", { name: "p", description: "d", code: "no Rust" }, /a pipeline tool has that name/],
    ["build_tool", { name: "s", description: "d", code: "no Rust" }, /a script tool has that name/],
    ["pipeline", { action: "create", name: "s", description: "d", steps }, /a script tool has that name/],
  ];
  for (const [tool, args, text] of tries) {
    const result = await app.call(tool, { ...args, overwrite: true });
    assert.equal(result.isError, true);
    assert.match(resultText(result), text);
  }
});
