import assert from "node:assert/strict";
import { join } from "node:path";
import { Bus } from "../../src/base/bus.ts";
import { openLocal } from "../../src/memory/open_local.ts";
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";
import { tempDir } from "../support/temp_dir.ts";

const START = Date.UTC(2030, 0, 1);

Deno.test("an entry is gone for every reader from the moment its ttl ends", async () => {
  await using dir = await tempDir();
  let now = START;
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") }, { now: () => now });
  await memory.set("t", "short", "wanted", { ttl: 0.5 });
  await memory.set("t", "long", "wanted", { ttl: 3600 });
  now += 499;
  assert.equal((await memory.get("t", "short"))?.expires_at, "2030-01-01T00:00:00.500Z");
  assert.deepEqual(await memory.keys("t"), ["long", "short"]);
  now += 1;
  assert.equal(await memory.get("t", "short"), undefined);
  assert.deepEqual(await memory.keys("t"), ["long"]);
  assert.deepEqual((await memory.list("t")).map((e) => e.key), ["long"]);
  assert.deepEqual((await memory.search("t", "wanted")).map((e) => e.key), ["long"]);
  assert.equal((await memory.stats("t")).entries, 1);
  assert.equal((await memory.stats()).entries, 1);
  assert.equal(await memory.delete("t", "short"), false);
});

Deno.test("an expired entry that is stored again begins anew", async () => {
  await using dir = await tempDir();
  let now = START;
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") }, { now: () => now });
  for (const write of [() => memory.set("t", "k", { b: 2 }), () => memory.update("t", "k", { b: 2 })]) {
    await memory.set("t", "k", { a: 1 }, { ttl: 1 });
    now += 1000;
    await write();
    const entry = await memory.get("t", "k");
    assert.deepEqual(entry?.value, { b: 2 });
    assert.equal(entry?.created_at, new Date(now).toISOString());
    assert.equal(entry?.expires_at, undefined);
    await memory.delete("t", "k");
  }
});

Deno.test("expired rows leave the file and its index in batches, and the bus hears of it", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "m.db");
  let now = START;
  const bus = new Bus();
  const namespaces: string[] = [];
  bus.subscribe((event) => event.kind === "memory" && namespaces.push(event.namespace));
  await using memory = openMemoryStore({ path }, { now: () => now, bus });
  await memory.bulkSet(
    "old",
    Array.from({ length: 150 }, (_, i) => ({ key: `k${i}`, value: "word", ttl: 1 })),
  );
  await memory.set("kept", "k", "word");
  namespaces.length = 0;
  now += 60_000;
  for (let i = 0; i < 3; i++) await memory.get("kept", "k");
  assert.deepEqual(namespaces, ["old", "old", "old"]);
  await using db = await openLocal(path);
  assert.deepEqual(await db.rows("SELECT tool FROM memory_entries"), [["kept"]]);
  assert.deepEqual(await db.rows("SELECT count(*) FROM memory_index WHERE memory_index MATCH 'word'"), [[1]]);
  assert.deepEqual(await db.rows("SELECT tool, entries FROM memory_usage"), [["kept", 1]]);
});

Deno.test("a ttl that is no positive number of seconds is refused", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  for (const ttl of [0, -1, NaN, Infinity, 1e12]) {
    await assert.rejects(memory.set("t", "k", 1, { ttl }), /ttl is out of range/);
  }
  await memory.set("t", "k", 1, { ttl: 3_155_760_000 });
  assert.equal((await memory.get("t", "k"))?.value, 1);
});
