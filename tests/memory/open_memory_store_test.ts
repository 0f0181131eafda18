import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Bus, type ChangeEvent } from "../../src/base/bus.ts";
import { SkillzError } from "../../src/base/errors.ts";
import type { JsonValue } from "../../src/base/json.ts";
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("openMemoryStore() makes no file before the first use, then one that only its owner may read", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "new folder", "a#b?c%20 ü.db");
  await using memory = openMemoryStore({ path });
  assert.deepEqual(await readdir(dir.path), []);
  await memory.set("t", "k", 1);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await memory.get("t", "k"))?.value, 1);
});

Deno.test("openMemoryStore() keeps any JSON value exactly, over a restart", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "m.db");
  const values: JsonValue[] = [
    null,
    true,
    0,
    -1.5e-300,
    9007199254740991,
    0.1,
    "",
    "a\0b \u2028 \ud800 ünï 😀 ' \" %",
    [],
    {},
    [[1, [2]], { a: null }],
    JSON.parse('{"__proto__":{"x":1},"constructor":2,"":3}'),
  ];
  {
    await using memory = openMemoryStore({ path });
    for (const [i, value] of values.entries()) await memory.set("t", `k${i}`, value);
  }
  await using memory = openMemoryStore({ path });
  for (const [i, value] of values.entries()) {
    const found = (await memory.get("t", `k${i}`))?.value;
    assert.equal(JSON.stringify(found), JSON.stringify(value));
    assert.deepEqual(found, value);
  }
});

Deno.test("set() replaces a value, keeps when it was made, and tells the bus", async () => {
  await using dir = await tempDir();
  let now = Date.UTC(2030, 0, 1);
  const bus = new Bus();
  const events: ChangeEvent[] = [];
  bus.subscribe((event) => events.push(event));
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") }, { now: () => now, bus });
  await memory.set("t", "k", "one", { ttl: 60 });
  now += 1500;
  await memory.set("t", "k", "two");
  assert.deepEqual(await memory.get("t", "k"), {
    key: "k",
    value: "two",
    created_at: "2030-01-01T00:00:00.000Z",
    updated_at: "2030-01-01T00:00:01.500Z",
  });
  assert.equal(await memory.delete("t", "k"), true);
  assert.equal(await memory.delete("t", "k"), false);
  assert.equal(await memory.get("t", "k"), undefined);
  assert.deepEqual(events, Array(3).fill({ kind: "memory", change: "updated", namespace: "t" }));
});

Deno.test("namespaces are apart, counted and cleared one by one", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  await memory.set("a", "k", "ä");
  await memory.bulkSet("b", Array.from({ length: 450 }, (_, i) => ({ key: `k${i}`, value: i })));
  assert.deepEqual(await memory.namespaces(), ["a", "b"]);
  assert.deepEqual(await memory.stats("a"), { entries: 1, bytes: 1 + 4, namespaces: 1 });
  assert.deepEqual(await memory.stats("none"), { entries: 0, bytes: 0, namespaces: 0 });
  assert.equal(await memory.clear("b"), 450);
  assert.equal(await memory.clear("b"), 0);
  assert.deepEqual(await memory.stats(), { entries: 1, bytes: 5, namespaces: 1 });
});

Deno.test("bulkSet() stores all or nothing", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  const tooLong = "x".repeat(2 << 20);
  await assert.rejects(
    memory.bulkSet("t", [{ key: "a", value: 1 }, { key: "b", value: tooLong }]),
    (error) => error instanceof SkillzError && error.code === "limit",
  );
  assert.deepEqual(await memory.keys("t"), []);
  await memory.bulkSet("t", [{ key: "a", value: 1 }, { key: "b", value: 2, ttl: 5 }, { key: "a", value: 3 }]);
  assert.deepEqual((await memory.list("t")).map((e) => [e.key, e.value]), [["a", 3], ["b", 2]]);
  await assert.rejects(
    memory.bulkSet("t", Array.from({ length: 1001 }, (_, i) => ({ key: `${i}`, value: i }))),
    /1001 entries were given, at most 1000/,
  );
});

Deno.test("a closed store refuses, and closing twice is harmless", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "m.db");
  const memory = openMemoryStore({ path });
  await memory.set("t", "k", 1);
  await memory[Symbol.asyncDispose]();
  await memory[Symbol.asyncDispose]();
  await assert.rejects(memory.get("t", "k"), /it is closed/);
  assert.equal((await stat(`${path}-wal`)).size, 0, "the log is folded into the file");
});
