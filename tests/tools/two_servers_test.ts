import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempDir } from "../support/temp_dir.ts";
import { draft, names, openStore } from "./_support.ts";

const SAVER = fileURLToPath(new URL("./_saver.ts", import.meta.url));

function saver(...args: string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", SAVER, ...args],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

/** Whether every file of a folder is of one and the same save: the code is in each, and in the description. */
async function isWhole(folder: string, name: string): Promise<boolean> {
  const { description } = JSON.parse(await Deno.readTextFile(join(folder, "manifest.json")));
  const texts = [await Deno.readTextFile(join(folder, `${name}.sh`))];
  for (const part of await names(join(folder, "lib")).catch(() => [])) {
    texts.push(await Deno.readTextFile(join(folder, "lib", part)));
  }
  return texts.every((text) => text === description);
}

Deno.test("B42 two servers that save one tool at the same time lose and mix nothing", async () => {
  await using dir = await tempDir();
  const children = [saver(dir.path, "x", "10"), saver(dir.path, "x", "10"), saver(dir.path, "y", "5")];
  const outputs = await Promise.all(children.map((child) => child.output()));
  assert.deepEqual(outputs.map((output) => output.success), [true, true, true]);
  const told = outputs.slice(0, 2).flatMap(({ stdout }) =>
    new TextDecoder().decode(stdout).trim().split("\n")
  );
  assert.equal(new Set(told).size, 20, "each save got a number of its own");

  await using opened = await openStore(dir.path);
  assert.deepEqual(opened.store.broken(), []);
  const versions = await opened.store.versions("x");
  assert.deepEqual(versions.map((info) => info.version).sort(), told.sort());
  assert.equal(new Set(versions.map((info) => info.description)).size, 20);
  for (const { version } of versions) {
    assert.ok(await isWhole((await opened.store.version("x", version)).directory, "x"), version);
  }
  assert.ok(await isWhole(join(dir.path, "x"), "x"));
  assert.equal((await opened.store.versions("y")).length, 5);
});

Deno.test("many saves at once in one server lose nothing", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const codes = Array.from({ length: 12 }, (_, n) => `echo ${n}`);
  await Promise.all(codes.map((code) => opened.store.save(draft("x", code), { overwrite: true })));
  const versions = await opened.store.versions("x");
  const kept = await Promise.all(versions.map(async ({ version }) => {
    const { directory } = await opened.store.version("x", version);
    return await Deno.readTextFile(join(directory, "x.sh"));
  }));
  assert.deepEqual(kept.sort(), codes.sort());
});

Deno.test("one of many saves of a new name wins, the others are told that it exists", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => opened.store.save(draft("x", `echo ${n}`))),
  );
  assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
  for (const result of results) {
    if (result.status === "rejected") assert.equal(result.reason.code, "conflict");
  }
  assert.equal((await opened.store.versions("x")).length, 1);
});

Deno.test("a server that is killed in the middle of a save leaves the old or the new tool whole", async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, "x");
  for (let round = 0; round < 6; round++) {
    const child = saver(dir.path, "x", "1000", "many");
    const reader = child.stdout.getReader();
    await reader.read();
    // Somewhere in the next save: a different place in each round.
    await new Promise((resolve) => setTimeout(resolve, 7 * round));
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();

    await using opened = await openStore(dir.path);
    assert.deepEqual(opened.store.broken(), []);
    assert.ok(await isWhole(folder, "x"), `round ${round}`);
    const tool = opened.store.get("x");
    assert.ok(tool && tool.directory !== folder, "it runs from its version");
    for (const { version } of await opened.store.versions("x")) {
      assert.ok(await isWhole((await opened.store.version("x", version)).directory, "x"), version);
    }
  }
});

Deno.test("a change that a dead server left half done is finished by the next one", async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, "x");
  {
    await using opened = await openStore(dir.path);
    await opened.store.save(draft("x", "old", { description: "old" }));
    await opened.store.save(draft("x", "new", { description: "new" }), { overwrite: true });
    await opened.store.rollback("x", "1.0.0");
  }
  // As if it had died after copying the code and before the manifest.
  await Deno.writeTextFile(join(dir.path, ".staging", "x.commit"), JSON.stringify({ version: "1.0.1" }));
  await Deno.writeTextFile(join(folder, "x.sh"), "new");
  await using opened = await openStore(dir.path);
  assert.equal(opened.store.get("x")?.manifest.version, "1.0.1");
  assert.ok(await isWhole(folder, "x"));
  assert.deepEqual(await names(join(dir.path, ".staging")), []);
  assert.equal((await opened.store.versions("x")).length, 2);
});

Deno.test("refresh() shows what another server saved, changed and removed", async () => {
  await using dir = await tempDir();
  await using ours = await openStore(dir.path);
  await using theirs = await openStore(dir.path);
  await theirs.store.save(draft("x", "1"));
  assert.equal(ours.store.get("x"), undefined);
  await ours.store.refresh("x");
  assert.equal(ours.store.get("x")?.manifest.version, "1.0.0");
  await theirs.store.save(draft("x", "2"), { overwrite: true });
  await ours.store.refresh();
  assert.equal(ours.store.get("x")?.manifest.version, "1.0.1");
  await theirs.store.remove("x");
  await ours.store.refresh();
  await ours.store.refresh();
  assert.equal(ours.store.get("x"), undefined);
  assert.deepEqual(ours.events.map((event) => "change" in event ? event.change : ""), [
    "added",
    "updated",
    "removed",
  ]);
});
