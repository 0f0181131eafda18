import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Engine from "libsql";
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";
import { tempDir } from "../support/temp_dir.ts";

const WRITER = fileURLToPath(new URL("./_writer.ts", import.meta.url));

Deno.test("several processes that make and write one file at once lose nothing", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, ".memory.db");
  const count = 200;
  const names = ["a", "b", "c", "d"];
  const ended = await Promise.all(names.map((name) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", WRITER, path, name, String(count)],
      stdout: "null",
      stderr: "piped",
    }).output()
  ));
  for (const { success, stderr } of ended) assert.ok(success, new TextDecoder().decode(stderr));
  await using memory = openMemoryStore({ path });
  const keys = new Set(await memory.keys("shared"));
  assert.equal(keys.size, names.length * (count + 2 * count / 25) + 1);
  for (const name of names) {
    for (let i = 0; i < count; i++) assert.ok(keys.has(`${name}/${i}`));
  }
  const all = (await memory.get("shared", "all"))?.value;
  assert.equal(Object.keys(all ?? {}).length, names.length * count / 10);
  assert.equal((await memory.stats("shared")).entries, keys.size);
});

Deno.test("a write that another program holds up waits for it, and the event loop goes on", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, ".memory.db");
  await using memory = openMemoryStore({ path });
  await memory.set("t", "k", 1);
  const other = new Engine(path);
  other.exec("BEGIN IMMEDIATE");
  const writes = [
    memory.set("t", "k", 2),
    memory.bulkSet("t", [{ key: "b", value: 3 }]),
    memory.update("t", "u", { a: 1 }),
    memory.delete("t", "gone"),
  ];
  let turns = 0;
  while (turns < 20) await new Promise<void>((resolve) => setTimeout(() => resolve(void turns++), 1));
  assert.equal((await memory.get("t", "k"))?.value, 1, "reading needs no lock");
  other.exec("COMMIT");
  await Promise.all(writes);
  const seen = other.prepare("SELECT key, value FROM memory_entries ORDER BY key").raw(true).all();
  assert.deepEqual(seen, [["b", "3"], ["k", "2"], ["u", '{"a":1}']], "committed, for everybody to see");
  other.close();
});

Deno.test("closing ends a write that waits for a lock", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, ".memory.db");
  const memory = openMemoryStore({ path });
  await memory.set("t", "k", 1);
  const other = new Engine(path);
  other.exec("BEGIN IMMEDIATE");
  const write = assert.rejects(memory.set("t", "k", 2), /it is closed/);
  await memory.get("t", "k");
  await memory[Symbol.asyncDispose]();
  await write;
  other.close();
});
