import assert from "node:assert/strict";
import { join } from "node:path";
import { tempDir } from "../support/temp_dir.ts";
import { draft, handMade, names, openStore, snapshot, write } from "./_support.ts";

Deno.test("B55 load() names each folder that it can't load with its reason, and loads the others", async () => {
  await using dir = await tempDir();
  const root = dir.path;
  const manifest = (fields: Record<string, unknown>) => ({
    "manifest.json": JSON.stringify({
      description: "d",
      tool_type: "script",
      interpreter: "bash",
      ...fields,
    }),
  });
  await handMade(root, "good");
  await Deno.mkdir(join(root, "empty"));
  await write(join(root, "broken_json"), { "manifest.json": '{"name": "broken_json",' });
  await write(join(root, "no_object"), { "manifest.json": "[]" });
  await write(join(root, "script_gone"), manifest({ name: "script_gone", entry_file: "gone.sh" }));
  await write(join(root, "unknown_type"), manifest({ name: "unknown_type", tool_type: "docker" }));
  await write(join(root, "other_name"), manifest({ name: "good" }));
  await write(join(root, "bad_limits"), manifest({ name: "bad_limits", limits: { timeout_ms: "soon" } }));
  await write(join(root, "bad name"), manifest({ name: "bad name" }));
  await write(join(root, "no_program"), {
    "manifest.json": JSON.stringify({
      name: "no_program",
      description: "d",
      tool_type: "script",
      entry_file: "a.xyz",
    }),
    "a.xyz": "",
  });
  await write(join(root, "too_deep"), {
    "manifest.json": `{"name":"too_deep","x":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`,
  });
  await write(join(root, "no_steps"), manifest({ name: "no_steps", tool_type: "pipeline" }));
  await write(join(root, "no_server"), manifest({ name: "no_server", tool_type: "mcp", mcp_server: {} }));
  await write(join(root, "no_wasm"), manifest({ name: "no_wasm", tool_type: "wasm" }));

  await using opened = await openStore(root);
  assert.deepEqual(opened.store.list().map((tool) => tool.name), ["good"]);
  const reasons = Object.fromEntries(opened.store.broken().map(({ folder, reason }) => [folder, reason]));
  const expected: Record<string, RegExp> = {
    "bad name": /name: holds other characters/,
    bad_limits: /limits\.timeout_ms: expected number, received string/,
    broken_json: /manifest\.json is no JSON/,
    empty: /no manifest\.json/,
    no_object: /holds no object/,
    no_program: /names no interpreter, and none is known for "a\.xyz"/,
    no_server: /mcp_server: needs either command or url/,
    no_steps: /pipeline_steps: a pipeline needs at least one step/,
    no_wasm: /"no_wasm\.wasm" is not in it/,
    other_name: /name: is "good", must be "other_name"/,
    script_gone: /"gone\.sh" is not in it/,
    too_deep: /is nested deeper than 256 levels/,
    unknown_type: /tool_type: expected one of "script"\|"wasm"/,
  };
  assert.deepEqual(Object.keys(reasons), Object.keys(expected).sort());
  for (const [folder, pattern] of Object.entries(expected)) {
    assert.match(reasons[folder] ?? "", pattern);
    assert.ok(!(reasons[folder] ?? "").includes("\n"), "one line");
  }
});

Deno.test("load() runs a script that names no interpreter by what its ending means", async () => {
  await using dir = await tempDir();
  const endings = { "a.py": "python3", "b.mjs": "node", "c.ts": "deno run", "d.SH": "bash" };
  for (const file of Object.keys(endings)) {
    const name = file.charAt(0);
    await write(join(dir.path, name), {
      "manifest.json": JSON.stringify({ name, description: "d", tool_type: "script", entry_file: file }),
      [file]: "",
    });
  }
  await using opened = await openStore(dir.path);
  assert.deepEqual(
    opened.store.list().map(({ manifest }) => manifest.interpreter),
    Object.values(endings),
  );
});

Deno.test("B55 a TOOLS_DIR that can't be used is told with its reason and what to do", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "file");
  const link = join(dir.path, "link");
  await Deno.writeTextFile(file, "");
  await Deno.symlink(join(dir.path, "nowhere"), link);
  const cases = {
    [file]: /file or a broken link/,
    [link]: /file or a broken link/,
    [join(file, "x")]: /is a file/,
  };
  for (const [path, reason] of Object.entries(cases)) {
    await assert.rejects(openStore(path), (error: Error) => {
      assert.match(error.message, /^Cannot write to TOOLS_DIR ".*": .*must be a folder that can be written$/);
      assert.match(error.message, reason);
      return true;
    });
  }
});

Deno.test("load() passes over what is no tool: files, hidden folders, knowledge, the server's own folders", async () => {
  await using dir = await tempDir();
  await write(dir.path, {
    "bundles.json": "{}",
    ".memory.db": "",
    "services/db.json": "{}",
    "repos/owner/repo/skills/a/SKILL.md": "---\nname: a\n---\n",
    "audit/1.jsonl": "",
    "scripts/left.py": "",
    "wisdom/SKILL.md":
      "---\nname: wisdom\ndescription: Knows\n---\n# Wisdom\nentry_file: is only mentioned here",
  });
  await using opened = await openStore(dir.path);
  assert.deepEqual(opened.store.list(), []);
  assert.deepEqual(opened.store.broken(), []);
});

Deno.test("a broken folder can be mended, replaced with its files kept, or removed", async () => {
  await using dir = await tempDir();
  for (const name of ["a", "b", "c"]) {
    await write(join(dir.path, name), { "manifest.json": "{", "notes.txt": "work" });
  }
  await using opened = await openStore(dir.path);
  assert.equal(opened.store.broken().length, 3);

  await handMade(dir.path, "a");
  await opened.store.refresh("a");
  assert.equal(opened.store.get("a")?.name, "a");

  await assert.rejects(() => opened.store.save(draft("b", "echo")), { code: "conflict", message: /no JSON/ });
  const saved = await opened.store.save(draft("b", "echo"), { overwrite: true });
  assert.equal(saved.manifest.version, "1.0.0");
  const kept = await snapshot(join(dir.path, "b", ".versions"));
  assert.equal(kept["0.0.0-broken.1/notes.txt"], "work");
  assert.deepEqual((await opened.store.versions("b")).map((info) => info.version), ["1.0.0"]);

  await opened.store.remove("c");
  assert.deepEqual(opened.store.broken(), []);
  assert.ok(!(await names(dir.path)).includes("c"));
});

Deno.test("a corrupted or foreign index file is as good as none", async () => {
  await using dir = await tempDir();
  {
    await using opened = await openStore(dir.path);
    await opened.store.save(draft("x", "echo"));
  }
  const file = join(dir.path, ".index.json");
  const whole = JSON.parse(await Deno.readTextFile(file));
  assert.equal(typeof whole.folders.x.tool.hash, "string");
  const corrupted = [
    "",
    "{",
    "[]",
    "null",
    '{"format":1,"folders":{"x":5}}',
    '{"format":1,"folders":{"x":{"entries":[{}],"readAt":1}}}',
  ];
  for (const text of [...corrupted, JSON.stringify({ ...whole, format: 0 })]) {
    await Deno.writeTextFile(file, text);
    await using opened = await openStore(dir.path);
    assert.equal(opened.store.get("x")?.hash, whole.folders.x.tool.hash, text);
  }
});
