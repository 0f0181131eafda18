import assert from "node:assert/strict";
import { join } from "node:path";
import { SkillzError } from "../../../src/base/errors.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import { resultText } from "../../../src/base/tool_result.ts";
import { createBuiltinTable } from "../../../src/mcp/builtin_table.ts";
import { createMemoryTool } from "../../../src/mcp/builtins/memory.ts";
import { openMemoryStore } from "../../../src/memory/open_memory_store.ts";
import { fakeContext } from "../../support/fake_caller.ts";
import { tempDir } from "../../support/temp_dir.ts";

async function withMemory(
  run: (call: (args: JsonObject) => Promise<ReturnType<typeof summary>>) => Promise<void>,
) {
  await using dir = await tempDir();
  await using memory = openMemoryStore({ path: join(dir.path, ".memory.db") });
  const table = createBuiltinTable([createMemoryTool(memory)]);
  await run(async (args) => summary(await table.call("memory", args, fakeContext())));
}

function summary(result: Parameters<typeof resultText>[0]) {
  return { text: resultText(result), data: result.structuredContent ?? {} };
}

Deno.test("memory stores, reads, merges, lists, finds and deletes", async () => {
  await withMemory(async (call) => {
    assert.equal(
      (await call({ action: "store", tool_name: "t", key: "a", value: { n: 1 } })).text,
      'Stored "a" in t',
    );
    assert.deepEqual((await call({ action: "get", tool_name: "t", key: "a" })).data.value, { n: 1 });
    assert.deepEqual(
      (await call({ action: "update", tool_name: "t", key: "a", value: { m: 2 } })).data.value,
      { n: 1, m: 2 },
    );
    await call({
      action: "bulk_store",
      tool_name: "t",
      entries: [{ key: "b", value: null }, { key: "c", value: "red fox" }],
    });
    assert.deepEqual((await call({ action: "list", tool_name: "t" })).data.keys, ["a", "b", "c"]);
    assert.deepEqual((await call({ action: "list", tool_name: "t", prefix: "b" })).data.keys, ["b"]);
    assert.deepEqual((await call({ action: "search", tool_name: "t", query: "fox" })).data.keys, ["c"]);
    assert.equal((await call({ action: "delete", tool_name: "t", key: "c" })).data.deleted, true);
    assert.equal((await call({ action: "delete", tool_name: "t", key: "c" })).data.deleted, false);
    assert.equal((await call({ action: "stats", tool_name: "t" })).data.entries, 2);
  });
});

Deno.test("memory tells a stored null from nothing", async () => {
  await withMemory(async (call) => {
    await call({ action: "store", key: "n", value: null });
    assert.equal((await call({ action: "get", key: "n" })).data.found, true);
    assert.equal((await call({ action: "get", key: "m" })).data.found, false);
  });
});

Deno.test("memory list says when there is more, and leaves values out rather than drown the reader", async () => {
  await withMemory(async (call) => {
    const entries = Array.from({ length: 12 }, (_, i) => ({ key: `k${10 + i}`, value: "x".repeat(50_000) }));
    await call({ action: "bulk_store", tool_name: "t", entries });
    const some = await call({ action: "list", tool_name: "t", limit: 3 });
    assert.deepEqual(some.data.keys, ["k10", "k11", "k12"]);
    assert.equal(some.data.more, true);
    assert.match(some.text, /there are more than 3/);
    const all = await call({ action: "list", tool_name: "t", limit: 12 });
    assert.equal(all.data.more, undefined);
    const listed = all.data.entries as JsonObject[];
    assert.deepEqual(listed.map(({ key }) => key), entries.map(({ key }) => key));
    assert.deepEqual(listed.map(({ value }) => typeof value === "string"), entries.map((_, i) => i < 5));
    assert.deepEqual([listed[11]?.left_out, listed[11]?.characters], [true, 50_000]);
    assert.match(all.text, /left out here are read one by one/);
    assert.equal((await call({ action: "get", tool_name: "t", key: "k21" })).data.value, "x".repeat(50_000));
  });
});

const BAD: [string, JsonObject, RegExp][] = [
  ["no action", {}, /^Cannot call memory: action: /],
  ["an unknown action", { action: "burn" }, /action: /],
  ["a missing key", { action: "get" }, /^Cannot get: key is missing, memory get needs it$/],
  ["a missing value", { action: "store", key: "k" }, /value is missing/],
  ["a wrong ttl", { action: "store", key: "k", value: 1, ttl: 0 }, /ttl: /],
  [
    "a patch that is no object",
    { action: "update", key: "k", value: 3 },
    /value is number, an object is merged in/,
  ],
  ["an unknown argument", { action: "list", colour: "red" }, /colour/],
];

for (const [title, args, message] of BAD) {
  Deno.test(`memory refuses ${title}`, async () => {
    await withMemory(async (call) => {
      await assert.rejects(
        async () => await call(args),
        (error) =>
          error instanceof SkillzError && error.code === "invalid_input" && message.test(error.message),
      );
    });
  });
}
