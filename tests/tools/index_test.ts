import assert from "node:assert/strict";
import { join } from "node:path";
import { tempDir } from "../support/temp_dir.ts";
import { waitFor } from "../support/wait_for.ts";
import { draft, handMade, type OpenedStore, openStore } from "./_support.ts";

/** Times of files are coarse, so that what was just written is read again; this makes them old. */
async function age(path: string): Promise<void> {
  const then = new Date(Date.now() - 60_000);
  await Deno.utime(path, then, then);
}

async function ageAll(folder: string): Promise<void> {
  for await (const entry of Deno.readDir(folder)) await age(join(folder, entry.name));
  await age(folder);
}

/** What the store finds after it was opened anew, with the index that it left before. */
async function reopened<T>(
  root: string,
  look: (opened: OpenedStore) => T | Promise<T>,
): Promise<T> {
  await using opened = await openStore(root);
  return await look(opened);
}

Deno.test("load() trusts the index as long as nothing changed", async () => {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x");
  await ageAll(folder);
  const before = await reopened(dir.path, (opened) => opened.store.get("x"));
  // A mark that only the index can have brought.
  const file = join(dir.path, ".index.json");
  const index = JSON.parse(await Deno.readTextFile(file));
  index.folders.x.tool.manifest.description = "from the index";
  await Deno.writeTextFile(file, JSON.stringify(index));
  const after = await reopened(dir.path, (opened) => opened.store.get("x"));
  assert.equal(after?.manifest.description, "from the index");
  assert.equal(after?.hash, before?.hash);
});

const CHANGES: [what: string, change: (folder: string) => Promise<void>][] = [
  ["code of another size", (folder) => Deno.writeTextFile(join(folder, "x.sh"), "echo 12")],
  ["code of the same size", (folder) => Deno.writeTextFile(join(folder, "x.sh"), "echo 2")],
  ["a file that is new", (folder) => Deno.writeTextFile(join(folder, "helper.sh"), "")],
  ["a folder that is new", async (folder) => {
    await Deno.mkdir(join(folder, "lib"));
    await Deno.writeTextFile(join(folder, "lib", "a.sh"), "");
  }],
  ["a file that replaced another by its name", async (folder) => {
    await Deno.writeTextFile(join(folder, "new"), "echo 3");
    await age(join(folder, "new"));
    await Deno.rename(join(folder, "new"), join(folder, "x.sh"));
    await age(folder);
  }],
];

for (const [what, change] of CHANGES) {
  Deno.test(`load() and refresh() see ${what}`, async () => {
    await using dir = await tempDir();
    const folder = await handMade(dir.path, "x");
    await ageAll(folder);
    const before = await reopened(dir.path, (opened) => opened.store.get("x")?.hash);
    await using opened = await openStore(dir.path);
    await change(folder);
    await opened.store.refresh("x");
    const after = opened.store.get("x")?.hash;
    assert.notEqual(after, before);
    assert.deepEqual(opened.events, [{ kind: "tool", change: "updated", name: "x" }]);
    assert.equal(await reopened(dir.path, (again) => again.store.get("x")?.hash), after);
  });
}

Deno.test("the hash leaves out environment, versions, locks, caches and times", async () => {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x", { version: "1.0.0", permissions: { write: ["$TOOL/data"] } });
  const before = await reopened(dir.path, (opened) => opened.store.get("x")?.hash);
  for (const inner of ["env/lib", "node_modules/a", "__pycache__", "lib/__pycache__", "data", ".git"]) {
    await Deno.mkdir(join(folder, inner), { recursive: true });
    await Deno.writeTextFile(join(folder, inner, "file"), "1");
  }
  await Deno.remove(join(folder, "lib"), { recursive: true });
  await Deno.writeTextFile(join(folder, "requirements.lock"), "six==1");
  const text = await Deno.readTextFile(join(folder, "manifest.json"));
  const json = { ...JSON.parse(text), version: "3.0.0", updated_at: "2026-01-01T00:00:00Z" };
  await Deno.writeTextFile(join(folder, "manifest.json"), JSON.stringify(json, null, 7));
  assert.equal(await reopened(dir.path, (opened) => opened.store.get("x")?.hash), before);
  await Deno.writeTextFile(
    join(folder, "manifest.json"),
    JSON.stringify({ ...json, permissions: { net: true } }),
  );
  assert.notEqual(await reopened(dir.path, (opened) => opened.store.get("x")?.hash), before);
});

Deno.test("load() runs a tool from its visible folder when its version is gone", async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, "x");
  await reopened(dir.path, (opened) => opened.store.save(draft("x", "echo")));
  await ageAll(folder);
  assert.notEqual(await reopened(dir.path, (opened) => opened.store.get("x")?.directory), folder);
  await Deno.remove(join(folder, ".versions", "1.0.0"), { recursive: true });
  assert.equal(await reopened(dir.path, (opened) => opened.store.get("x")?.directory), folder);
});

Deno.test("load() runs a saved tool that was edited in place from its visible folder", async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, "x");
  const saved = await reopened(dir.path, (opened) => opened.store.save(draft("x", "echo 1")));
  await ageAll(folder);
  await reopened(dir.path, (opened) => assert.deepEqual(opened.store.get("x"), saved));
  await Deno.writeTextFile(join(folder, "x.sh"), "echo 2");
  const edited = await reopened(dir.path, (opened) => opened.store.get("x"));
  assert.equal(edited?.directory, folder);
  assert.notEqual(edited?.hash, saved.hash);
  await Deno.writeTextFile(join(folder, "x.sh"), "echo 1");
  await reopened(dir.path, (opened) => assert.deepEqual(opened.store.get("x"), saved));
});

Deno.test("the index follows changes soon, without closing the store", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  await opened.store.save(draft("x", "echo"));
  const file = join(dir.path, ".index.json");
  await waitFor(async () => (await Deno.readTextFile(file).catch(() => "")).includes('"x"'), {
    timeoutMs: 20_000,
  });
  await opened.store.remove("x");
  await opened.store.refresh();
  await opened.store.save(draft("y", "echo"));
  await waitFor(async () => !(await Deno.readTextFile(file)).includes('"x"'), { timeoutMs: 20_000 });
});
