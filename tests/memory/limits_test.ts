import assert from "node:assert/strict";
import { join } from "node:path";
import { SkillzError } from "../../src/base/errors.ts";
import { MEMORY_LIMITS } from "../../src/memory/limits.ts";
import { openLocal } from "../../src/memory/open_local.ts";
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";
import { tempDir } from "../support/temp_dir.ts";

function isLimit(message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof SkillzError && error.code === "limit" && message.test(error.message);
}

Deno.test("a value of 1 MiB of JSON is stored, one byte more is not", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  const largest = "x".repeat(MEMORY_LIMITS.valueBytes - 2);
  await memory.set("t", "k", largest);
  assert.equal((await memory.get("t", "k"))?.value, largest);
  await assert.rejects(
    memory.set("t", "k", largest + "x"),
    isLimit(/1048577 bytes as JSON, at most 1048576/),
  );
  await assert.rejects(memory.set("t", "k", "ü".repeat(600_000)), isLimit(/1200002 bytes/));
  assert.equal((await memory.get("t", "k"))?.value, largest, "what was there stays");
});

Deno.test("a key has 1 to 512 bytes of text", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  await memory.set("t", "ü".repeat(256), 1);
  assert.equal((await memory.get("t", "ü".repeat(256)))?.value, 1);
  await assert.rejects(memory.set("t", "ü".repeat(257), 1), isLimit(/514 bytes/));
  for (const key of ["", "a\0b", "\ud800"]) {
    await assert.rejects(
      memory.set("t", key, 1),
      (error) => error instanceof SkillzError && error.code === "invalid_input",
    );
  }
});

Deno.test("B49 a name with a path in it is only a name", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "a", "m.db") });
  for (const name of ["../../x", "/etc/x", "C:\\x", ".", "-rf", "CON", "x'; DROP TABLE memory_entries; --"]) {
    await memory.set(name, name, name);
    assert.equal((await memory.get(name, name))?.value, name);
  }
  const made: string[] = [];
  for await (const { name } of Deno.readDir(dir.path)) made.push(name);
  assert.deepEqual(made, ["a"]);
});

Deno.test("a full namespace refuses more, names the limit, and others go on", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "m.db");
  await using memory = openMemoryStore({ path });
  await memory.set("full", "k", "x");
  await using db = await openLocal(path);
  // The counter is what the limits look at; filling it for real would take 100 MiB.
  await db.run("UPDATE memory_usage SET entries = ?1", [MEMORY_LIMITS.namespaceEntries]);
  await assert.rejects(memory.set("full", "k2", 1), isLimit(/100000 entries/));
  await assert.rejects(
    memory.bulkSet("full", [{ key: "k", value: "y" }, { key: "k2", value: 1 }]),
    isLimit(/100000/),
  );
  assert.deepEqual((await memory.list("full")).map((e) => e.value), ["x"]);
  await memory.set("full", "k", "y");
  await memory.set("other", "k", 1);
  await db.run("UPDATE memory_usage SET entries = 1, bytes = ?1", [MEMORY_LIMITS.namespaceBytes]);
  await assert.rejects(memory.set("full", "k2", 1), isLimit(/100 MiB/));
  await assert.rejects(memory.set("full", "k", "longer"), isLimit(/100 MiB/));
  await memory.set("full", "k", "z");
  await memory.delete("full", "k");
});

Deno.test("expired entries make room in a full namespace", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "m.db");
  let now = Date.UTC(2030, 0, 1);
  await using memory = openMemoryStore({ path }, { now: () => now });
  await memory.set("t", "old", 1, { ttl: 1 });
  await using db = await openLocal(path);
  await db.run("UPDATE memory_usage SET entries = ?1", [MEMORY_LIMITS.namespaceEntries]);
  now += 1000;
  await memory.set("t", "new", 1);
  assert.deepEqual(await memory.keys("t"), ["new"]);
});
