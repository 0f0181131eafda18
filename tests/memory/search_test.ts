import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";
import type { MemoryStore } from "../../src/memory/memory_store.ts";
import { tempDir } from "../support/temp_dir.ts";

async function keys(memory: MemoryStore, query: string, namespace = "t"): Promise<string[]> {
  return (await memory.search(namespace, query)).map((entry) => entry.key).sort();
}

Deno.test("search() finds words and their beginnings in keys and values, accents or not, in one namespace", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  await memory.set("t", "weather/paris", { text: "Rain in Montmartre", deg: 12 });
  await memory.set("t", "weather/zürich", ["sunny", "Föhn"]);
  await memory.set("u", "weather/rome", "rain");
  await memory.set("_-", "k", "rain");
  assert.deepEqual(await keys(memory, "RAIN"), ["weather/paris"]);
  assert.deepEqual(await keys(memory, "montm rain"), ["weather/paris"]);
  assert.deepEqual(await keys(memory, "weather"), ["weather/paris", "weather/zürich"]);
  assert.deepEqual(await keys(memory, "zurich fohn"), ["weather/zürich"]);
  assert.deepEqual(await keys(memory, "rain sunny"), []);
  assert.deepEqual(await keys(memory, "12"), ["weather/paris"]);
  assert.deepEqual(await keys(memory, "rain", "_-"), ["k"]);
});

Deno.test("search() follows every change", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  await memory.set("t", "k", "apple");
  await memory.set("t", "k", "banana");
  assert.deepEqual(await keys(memory, "apple"), []);
  await memory.update("t", "o", { fruit: "cherry" });
  await memory.update("t", "o", { fruit: "damson" });
  assert.deepEqual(await keys(memory, "cherry"), []);
  assert.deepEqual(await keys(memory, "damson"), ["o"]);
  await memory.delete("t", "k");
  assert.deepEqual(await keys(memory, "banana"), []);
  await memory.clear("t");
  assert.deepEqual(await keys(memory, "damson"), []);
});

Deno.test("search() takes every character as text, never as an operator", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  await memory.set("t", "k", 'say "hello" OR NOT near(x)');
  await memory.set("t", "other", "nothing");
  for (
    const query of [
      '"',
      '"""',
      "*",
      "^",
      "AND",
      "NOT",
      "hello OR",
      "NEAR(a b)",
      "tool:t",
      "-x",
      "(",
      "'; DROP",
      "\0",
    ]
  ) {
    await memory.search("t", query);
  }
  assert.deepEqual(await keys(memory, '"hello"'), ["k"]);
  assert.deepEqual(await keys(memory, "or"), ["k"]);
  assert.deepEqual(await keys(memory, "nothing OR hello"), []);
  assert.deepEqual(await keys(memory, "x".repeat(100_000)), []);
  assert.deepEqual(await keys(memory, "hello ".repeat(1000)), ["k"]);
  assert.deepEqual(await keys(memory, " \n "), []);
});

Deno.test("list() takes a prefix as it is and gives keys in order, at most `limit`", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  const all = [
    "100%",
    "100%_a",
    "100x",
    "a",
    "a*b",
    "a_b",
    "aXb",
    "a\u{10ffff}",
    "a\u{10ffff}z",
    "b",
    "\ud7ffx",
    "é",
    "😀",
  ];
  for (const key of all) await memory.set("t", key, key);
  const sorted = [...all].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(await memory.keys("t"), sorted);
  for (
    const prefix of ["", "1", "100%", "a", "a_", "a*", "a\u{10ffff}", "\u{10ffff}", "\ud7ff", "é", "😀", "zz"]
  ) {
    const wanted = sorted.filter((key) => key.startsWith(prefix));
    assert.deepEqual(await memory.keys("t", { prefix }), wanted, JSON.stringify(prefix));
    assert.deepEqual(
      (await memory.list("t", { prefix })).map((e) => e.value),
      await memory.keys("t", { prefix }),
    );
  }
  assert.deepEqual(await memory.keys("t", { limit: 2 }), ["100%", "100%_a"]);
  assert.deepEqual(await memory.keys("t", { limit: 0 }), []);
});

Deno.test("list() gives all of a long namespace, page by page", async () => {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, "m.db") });
  const wanted = Array.from({ length: 950 }, (_, i) => `k${String(i).padStart(4, "0")}`);
  await memory.bulkSet("t", wanted.map((key) => ({ key, value: key })));
  assert.deepEqual(await memory.keys("t"), wanted);
  assert.deepEqual(
    (await memory.list("t", { prefix: "k", limit: 401 })).map((e) => e.value),
    wanted.slice(0, 401),
  );
});
