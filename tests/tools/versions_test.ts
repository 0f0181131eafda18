import assert from "node:assert/strict";
import { join } from "node:path";
import { tempDir } from "../support/temp_dir.ts";
import { draft, handMade, openStore, snapshot, write } from "./_support.ts";

Deno.test("B42 rollback() brings back code, schema, interpreter, permissions, dependencies, annotations", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const { store } = opened;
  const first = await store.save(draft("x", "echo 1", {
    description: "first",
    input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    permissions: { net: ["api.example.com"] },
    annotations: { readOnlyHint: true },
    dependencies: ["six"],
  }));
  const visible = await snapshot(join(dir.path, "x"));
  const second = await store.save({
    manifest: {
      name: "x",
      description: "second",
      tool_type: "script",
      interpreter: "python3",
      entry_file: "x.py",
    },
    files: { "x.py": "print(2)" },
  }, { overwrite: true });

  const back = await store.rollback("x", "1.0.0");
  assert.deepEqual(back, first);
  assert.equal(store.get("x"), back);
  const now = await snapshot(join(dir.path, "x"));
  for (const [path, text] of Object.entries(visible)) assert.equal(now[path], text, path);
  assert.equal(now["x.py"], undefined);

  const forth = await store.rollback("x", "1.0.1");
  assert.deepEqual(forth, second);
  assert.deepEqual((await store.versions("x")).map((info) => [info.version, info.current]), [
    ["1.0.1", true],
    ["1.0.0", false],
  ]);
});

Deno.test("save() after a rollback uses no number again", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  for (const code of ["1", "2", "3"]) await opened.store.save(draft("x", code), { overwrite: true });
  await opened.store.rollback("x", "1.0.0");
  const next = await opened.store.save(draft("x", "4"), { overwrite: true });
  assert.equal(next.manifest.version, "1.0.3");
  const given = await opened.store.save(draft("x", "5", { version: "1.0.1" }), { overwrite: true });
  assert.equal(given.manifest.version, "1.0.4");
  const free = await opened.store.save(draft("x", "6", { version: "2.0.0" }), { overwrite: true });
  assert.equal(free.manifest.version, "2.0.0");
});

Deno.test("rollback() to a missing version names those that there are", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  await opened.store.save(draft("x", "1"));
  for (const version of ["9.9.9", "../../etc", "", "x"]) {
    await assert.rejects(() => opened.store.rollback("x", version), {
      code: "not_found",
      message: /1\.0\.0/,
    });
    await assert.rejects(() => opened.store.version("x", version), { code: "not_found" });
  }
  await assert.rejects(() => opened.store.rollback("y", "1.0.0"), { code: "not_found" });
  await assert.rejects(() => opened.store.versions("y"), { code: "not_found" });
});

Deno.test("rollback() to the number of a state edited by hand brings back what the number meant", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  await opened.store.save(draft("x", "echo 1"));
  await Deno.writeTextFile(join(dir.path, "x", "x.sh"), "echo edited");
  const back = await opened.store.rollback("x", "1.0.0");
  assert.equal(await Deno.readTextFile(join(back.directory, "x.sh")), "echo 1");
  assert.equal(await Deno.readTextFile(join(dir.path, "x", "x.sh")), "echo 1");
  const edited = await opened.store.version("x", "1.0.1");
  assert.equal(await Deno.readTextFile(join(edited.directory, "x.sh")), "echo edited");
});

Deno.test("versions() and rollback() reach what the older edition kept in versions/", async () => {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x", { version: "1.0.2", entry_file: "x.sh" });
  // It kept a manifest for wasm and pipelines, but of a script only its file.
  await write(folder, {
    "versions/1.0.0/x.sh": "echo oldest",
    "versions/1.0.1/manifest.json": JSON.stringify({
      name: "x",
      version: "1.0.1",
      description: "older",
      tool_type: "script",
      interpreter: "sh",
    }),
    "versions/1.0.1/x.sh": "echo older",
  });
  await using opened = await openStore(dir.path);
  assert.deepEqual((await opened.store.versions("x")).map((info) => info.version), [
    "1.0.2",
    "1.0.1",
    "1.0.0",
  ]);
  const oldest = await opened.store.rollback("x", "1.0.0");
  assert.equal(oldest.manifest.interpreter, "bash");
  assert.equal(await Deno.readTextFile(join(folder, "x.sh")), "echo oldest");
  const older = await opened.store.rollback("x", "1.0.1");
  assert.equal(older.manifest.interpreter, "sh");
  assert.equal(older.manifest.description, "older");
  assert.deepEqual((await opened.store.versions("x")).map((info) => info.version), [
    "1.0.1",
    "1.0.2",
    "1.0.0",
  ]);
  const next = await opened.store.save(draft("x", "new"), { overwrite: true });
  assert.equal(next.manifest.version, "1.0.3");
});

Deno.test("versions survive a restart and a move of TOOLS_DIR", async () => {
  await using dir = await tempDir();
  const before = join(dir.path, "before");
  const after = join(dir.path, "after with blank");
  {
    await using opened = await openStore(before);
    await opened.store.save(draft("x", "echo 1"));
    await opened.store.save(draft("x", "echo 2"), { overwrite: true });
  }
  await Deno.rename(before, after);
  await using opened = await openStore(after);
  const tool = await opened.store.rollback("x", "1.0.0");
  assert.equal(await Deno.readTextFile(join(tool.directory, "x.sh")), "echo 1");
  assert.ok(tool.directory.startsWith(after));
});
