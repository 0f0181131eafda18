import assert from "node:assert/strict";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillzError } from "../../src/base/errors.ts";
import { openLocal } from "../../src/memory/open_local.ts";
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";
import { tempDir } from "../support/temp_dir.ts";

const NOW = Date.UTC(2030, 0, 1);

async function olderFile(path: string, rows: readonly string[], version = 2): Promise<void> {
  await using db = await openLocal(path);
  await db.batch([
    [`CREATE TABLE memories (tool TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, created_at, updated_at,
      expires_at, PRIMARY KEY (tool, key))`],
    ["CREATE INDEX idx_memories_tool ON memories (tool)"],
    ...rows.map((row) => [`INSERT INTO memories VALUES (${row})`] as const),
    [`PRAGMA user_version = ${version}`],
  ]);
}

for (const version of [0, 2]) {
  Deno.test(`the older edition's file is taken over, whatever its times look like (version ${version})`, async () => {
    await using dir = await tempDir();
    const path = join(dir.path, ".memory.db");
    await olderFile(path, [
      `'t', 'seconds', '{"a":[1,"ü"]}', 1700000000, 1700000001, 4102444800`,
      `'t', 'millis', '1', 1700000000000, 1700000001000, NULL`,
      `'t', 'digits', '2', '1700000000', '1700000001', ''`,
      `'t', 'iso', '3', '2023-11-14T22:13:20Z', '2023-11-14T22:13:21.500+00:00', '2100-01-01T00:00:00Z'`,
      `'t', 'nanos', '4', '2023-11-15T00:13:20.123456789+02:00', '2023-11-14 22:13:20 UTC', NULL`,
      `'t', 'strange', 'not json', 'yesterday', NULL, 'soon'`,
      `'u', 'expired', '5', 1, 1, 2`,
    ], version);
    await using memory = openMemoryStore({ path }, { now: () => NOW });
    const entries = Object.fromEntries((await memory.list("t")).map(({ key, ...rest }) => [key, rest]));
    const [made, changed, never] = [
      "2023-11-14T22:13:20.000Z",
      "2023-11-14T22:13:21.000Z",
      "2100-01-01T00:00:00.000Z",
    ];
    assert.deepEqual(entries, {
      seconds: { value: { a: [1, "ü"] }, created_at: made, updated_at: changed, expires_at: never },
      millis: { value: 1, created_at: made, updated_at: changed },
      digits: { value: 2, created_at: made, updated_at: changed },
      iso: { value: 3, created_at: made, updated_at: "2023-11-14T22:13:21.500Z", expires_at: never },
      nanos: { value: 4, created_at: "2023-11-14T22:13:20.123Z", updated_at: made },
      strange: {
        value: "not json",
        created_at: "2030-01-01T00:00:00.000Z",
        updated_at: "2030-01-01T00:00:00.000Z",
      },
    });
    assert.deepEqual(await memory.namespaces(), ["t"]);
    assert.equal((await memory.search("t", "json")).length, 1, "taken into the index");
    await memory.set("t", "seconds", "new");
    assert.equal((await memory.stats("t")).entries, 6);
  });
}

Deno.test("several stores that open an older file at once take it over once", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, ".memory.db");
  await olderFile(path, Array.from({ length: 300 }, (_, i) => `'t', 'k${i}', '${i}', 1, 1, NULL`));
  const found = await Promise.all(Array.from({ length: 4 }, async () => {
    await using memory = openMemoryStore({ path });
    return (await memory.keys("t")).length;
  }));
  assert.deepEqual(found, [300, 300, 300, 300]);
});

Deno.test("a newer or foreign file is refused and stays as it is", async () => {
  await using dir = await tempDir();
  const files = [
    { name: "newer", columns: "x", version: 4 },
    { name: "foreign", columns: "id, content", version: 1 },
  ];
  for (const { name, columns, version } of files) {
    const path = join(dir.path, `${name}.db`);
    {
      await using db = await openLocal(path);
      await db.batch([
        [`CREATE TABLE memories (${columns})`],
        ["INSERT INTO memories DEFAULT VALUES"],
        [`PRAGMA user_version = ${version}`],
      ]);
    }
    const before = await readFile(path);
    await using memory = openMemoryStore({ path });
    await assert.rejects(memory.set("t", "k", 1), (error) => {
      assert.ok(error instanceof SkillzError);
      assert.equal(error.code, "unavailable");
      assert.match(error.message, /schema version \d is unknown/);
      assert.ok(error.message.includes(path));
      return true;
    });
    assert.deepEqual(await readFile(path), before);
  }
});

Deno.test("a damaged file is named, not touched, and a repaired one works without a restart", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, ".memory.db");
  await writeFile(path, "this is no database ".repeat(500));
  await using memory = openMemoryStore({ path });
  await assert.rejects(memory.get("t", "k"), (error) => {
    assert.ok(error instanceof SkillzError);
    assert.equal(error.code, "unavailable");
    assert.match(error.message, /no SQLite database/);
    assert.ok(error.message.includes(path));
    return true;
  });
  assert.equal((await stat(path)).size, 10_000);
  await rename(path, `${path}.bad`);
  await memory.set("t", "k", 1);
  assert.equal((await memory.get("t", "k"))?.value, 1);
});

Deno.test("a file that cannot be made is named", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "file"), "");
  for (const path of [join(dir.path, "file", "m.db"), dir.path]) {
    await using memory = openMemoryStore({ path });
    await assert.rejects(memory.get("t", "k"), /Cannot use memory .*can't be opened/);
  }
});
