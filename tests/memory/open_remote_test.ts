import assert from "node:assert/strict";
import { join } from "node:path";
import { SkillzError } from "../../src/base/errors.ts";
import { openMemoryStore } from "../../src/memory/open_memory_store.ts";
import { tempDir } from "../support/temp_dir.ts";
import { serveHrana } from "./_hrana_server.ts";

Deno.test("a remote libSQL database does everything that a file does", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "remote.db");
  await using server = serveHrana(path, { token: "secret-token" });
  await using memory = openMemoryStore({ url: server.url, token: "secret-token" });
  await memory.set("t", "a/1", { text: "Zürich rains" }, { ttl: 3600 });
  await memory.bulkSet("t", Array.from({ length: 450 }, (_, i) => ({ key: `b/${i}`, value: i })));
  assert.deepEqual((await memory.get("t", "a/1"))?.value, { text: "Zürich rains" });
  assert.match((await memory.get("t", "a/1"))?.expires_at ?? "", /^\d{4}-/);
  assert.equal((await memory.keys("t", { prefix: "b/" })).length, 450);
  assert.equal((await memory.list("t", { limit: 3 })).length, 3);
  assert.deepEqual((await memory.search("t", "zurich")).map((e) => e.key), ["a/1"]);
  assert.deepEqual(await memory.update("t", "a/1", { n: 1 }), { text: "Zürich rains", n: 1 });
  await Promise.all(Array.from({ length: 5 }, (_, i) => memory.update("t", "shared", { [`k${i}`]: i })));
  assert.deepEqual((await memory.get("t", "shared"))?.value, { k0: 0, k1: 1, k2: 2, k3: 3, k4: 4 });
  assert.equal(await memory.delete("t", "a/1"), true);
  assert.equal(await memory.clear("t"), 451);
  assert.deepEqual(await memory.stats(), { entries: 0, bytes: 0, namespaces: 0 });
  assert.ok(server.authorizations.every((header) => header === "Bearer secret-token"));
});

Deno.test("a remote batch is all or nothing", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "remote.db");
  await using server = serveHrana(path);
  await using memory = openMemoryStore({ url: server.url });
  await memory.set("t", "k", 1);
  await using file = openMemoryStore({ path });
  assert.equal((await file.get("t", "k"))?.value, 1, "both look at one database");
  const { openRemote } = await import("../../src/memory/open_remote.ts");
  await using db = await openRemote(server.url);
  await assert.rejects(
    db.batch([["DELETE FROM memory_entries"], ["INSERT INTO no_table VALUES (1)"]]),
    /no such table/,
  );
  assert.equal((await memory.get("t", "k"))?.value, 1);
});

Deno.test("a refused token is told, without the token", async () => {
  await using dir = await tempDir();
  await using server = serveHrana(join(dir.path, "remote.db"), { token: "right" });
  await using memory = openMemoryStore({ url: `${server.url}?authToken=wrong-secret` });
  await assert.rejects(memory.get("t", "k"), (error) => {
    assert.ok(error instanceof SkillzError);
    assert.equal(error.code, "unavailable");
    assert.match(error.message, /127\.0\.0\.1.*refused the token/);
    assert.match(error.hint ?? "", /SKILLZ_DATABASE_TOKEN/);
    assert.doesNotMatch(error.message, /wrong-secret/);
    return true;
  });
});

Deno.test("a server that is not there, or an address that is none, is told", async () => {
  await using dir = await tempDir();
  const server = serveHrana(join(dir.path, "remote.db"));
  await server[Symbol.asyncDispose]();
  await using gone = openMemoryStore({ url: server.url });
  await assert.rejects(
    gone.set("t", "k", 1),
    (error) => error instanceof SkillzError && error.code === "unavailable",
  );
  for (const url of ["nonsense", "ftp://host/x", "https://"]) {
    await using memory = openMemoryStore({ url, token: "secret" });
    await assert.rejects(memory.set("t", "k", 1), /address is not valid/);
  }
});
