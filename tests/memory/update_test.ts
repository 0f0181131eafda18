import assert from "node:assert/strict";
import { join } from "node:path";
import { SkillzError } from "../../src/base/errors.ts";
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("update() merges the first level, stores when absent, and keeps the expiry unless given another", async () => {
  await using dir = await tempDir();
  const now = Date.UTC(2030, 0, 1);
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") }, { now: () => now });
  assert.deepEqual(await memory.update("t", "k", { a: 1, deep: { x: 1 } }, { ttl: 10 }), {
    a: 1,
    deep: { x: 1 },
  });
  assert.deepEqual(await memory.update("t", "k", { b: null, deep: { y: 2 } }), {
    a: 1,
    b: null,
    deep: { y: 2 },
  });
  assert.equal((await memory.get("t", "k"))?.expires_at, "2030-01-01T00:00:10.000Z");
  await memory.update("t", "k", {}, { ttl: 20 });
  assert.equal((await memory.get("t", "k"))?.expires_at, "2030-01-01T00:00:20.000Z");
  const hostile = JSON.parse('{"__proto__":{"polluted":true}}');
  const merged = await memory.update("t", "k", hostile);
  assert.equal(Object.getPrototypeOf(merged), Object.prototype);
  assert.equal(
    JSON.stringify((await memory.get("t", "k"))?.value).includes('"__proto__":{"polluted":true}'),
    true,
  );
});

Deno.test("update() refuses a stored value that is no object, and a result that is too long", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  await memory.set("t", "list", [1]);
  await assert.rejects(
    memory.update("t", "list", { a: 1 }),
    (error) => error instanceof SkillzError && error.code === "conflict" && /type array/.test(error.message),
  );
  await memory.set("t", "k", { a: "x".repeat(600_000) });
  await assert.rejects(
    memory.update("t", "k", { b: "x".repeat(600_000) }),
    (error) => error instanceof SkillzError && error.code === "limit",
  );
  assert.deepEqual((await memory.get("t", "list"))?.value, [1]);
});

Deno.test("update() loses nothing when many change one key at once, through two stores", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "m.db");
  await using one = openMemoryStore({ path });
  await using two = openMemoryStore({ path });
  await Promise.all(
    Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).update("t", "k", { [`k${i}`]: i })),
  );
  assert.deepEqual(
    (await one.get("t", "k"))?.value,
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, i])),
  );
});
