import assert from "node:assert/strict";
import { join } from "node:path";
import { watchTools } from "../../src/tools/watch_tools.ts";
import { tempDir } from "../support/temp_dir.ts";
import { waitFor } from "../support/wait_for.ts";
import { draft, handMade, type OpenedStore, openStore, write } from "./_support.ts";

const PATIENT = { timeoutMs: 20_000 };

/** What was published so far, as `change name`. */
function told({ events }: OpenedStore): string[] {
  return events.map((event) => event.kind === "tool" ? `${event.change} ${event.name}` : event.kind);
}

/** Resolves when everything that happened before has been looked at: this change comes after it. */
async function settled(opened: OpenedStore, toolsDir: string): Promise<void> {
  const name = `mark_${crypto.randomUUID().slice(0, 8)}`;
  await handMade(toolsDir, name);
  await waitFor(() => opened.store.get(name), PATIENT);
  opened.events.splice(
    0,
    Infinity,
    ...opened.events.filter((event) => !("name" in event) || event.name !== name),
  );
}

Deno.test("watchTools() follows a folder that is made, edited, and deleted", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  await using _watch = await watchTools({ store: opened.store, toolsDir: dir.path });
  const hash = () => opened.store.get("x")?.hash;
  const folder = await handMade(dir.path, "x");
  const first = await waitFor(hash, PATIENT);
  await Deno.writeTextFile(join(folder, "x.sh"), "echo edited");
  await waitFor(() => hash() !== first, PATIENT);
  const second = hash();
  await write(folder, { "lib/helper.sh": "1" });
  await waitFor(() => hash() !== second, PATIENT);
  await settled(opened, dir.path);
  const third = hash();
  await write(folder, { "lib/helper.sh": "12" });
  await waitFor(() => hash() !== third, { ...PATIENT, what: "a change in a folder made later" });
  await Deno.remove(folder, { recursive: true });
  await waitFor(() => opened.store.get("x") === undefined, PATIENT);
  await waitFor(() => told(opened).includes("removed x"), PATIENT);
  assert.deepEqual(opened.store.broken(), []);
});

Deno.test("watchTools() waits for a half-written manifest", async () => {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x");
  await using opened = await openStore(dir.path);
  await using _watch = await watchTools({ store: opened.store, toolsDir: dir.path, patienceMs: 600_000 });
  const whole = await Deno.readTextFile(join(folder, "manifest.json"));
  await Deno.writeTextFile(join(folder, "manifest.json"), whole.slice(0, 20));
  await settled(opened, dir.path);
  assert.deepEqual(told(opened), []);
  assert.ok(opened.store.get("x"), "the tool stays while the file is being written");
  await Deno.writeTextFile(join(folder, "manifest.json"), whole.replace("Does x", "Does more"));
  await waitFor(() => opened.store.get("x")?.manifest.description === "Does more", PATIENT);
  assert.deepEqual(told(opened), ["updated x"]);
});

Deno.test("watchTools() tells of a folder that stays broken, and of its cure", async () => {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x");
  await using opened = await openStore(dir.path);
  await using _watch = await watchTools({ store: opened.store, toolsDir: dir.path });
  const whole = await Deno.readTextFile(join(folder, "manifest.json"));
  await Deno.writeTextFile(join(folder, "manifest.json"), "{");
  await waitFor(() => opened.store.broken().length === 1, PATIENT);
  assert.match(opened.store.broken()[0]?.reason ?? "", /no JSON/);
  assert.equal(opened.store.get("x"), undefined);
  await Deno.writeTextFile(join(folder, "manifest.json"), whole);
  await waitFor(() => opened.store.get("x"), PATIENT);
  assert.deepEqual(told(opened), ["removed x", "added x"]);
});

Deno.test("watchTools() does not look at environments, versions, data and hidden files", async () => {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x", { permissions: { write: ["$TOOL/data"] } });
  await write(folder, { "env/lib/a.py": "1", "node_modules/a/b.js": "1" });
  await using opened = await openStore(dir.path);
  await using _watch = await watchTools({ store: opened.store, toolsDir: dir.path });
  await write(folder, {
    "env/lib/b.py": "1",
    "env/c": "1",
    "node_modules/a/c.js": "1",
    "__pycache__/x.pyc": "1",
    "data/notes.txt": "1",
    "requirements.lock": "six==1",
    ".versions/1.0.0/x": "1",
  });
  await write(dir.path, {
    ".memory.db-wal": "1",
    "services/db.json": "{}",
    "notes.txt": "1",
    ".staging/x/y": "1",
  });
  await settled(opened, dir.path);
  assert.deepEqual(told(opened), []);
  assert.deepEqual(opened.store.broken(), []);
});

Deno.test("watchTools() tells once of what this server or another one saves", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  await using theirs = await openStore(dir.path);
  await using _watch = await watchTools({ store: opened.store, toolsDir: dir.path });
  await opened.store.save(draft("x", "echo 1"));
  await opened.store.save(draft("x", "echo 2"), { overwrite: true });
  await settled(opened, dir.path);
  assert.deepEqual(told(opened), ["added x", "updated x"]);
  await theirs.store.save(draft("y", "echo 1"));
  await theirs.store.save(draft("x", "echo 3"), { overwrite: true });
  await waitFor(() => opened.store.get("x")?.manifest.version === "1.0.2", PATIENT);
  await waitFor(() => opened.store.get("y"), PATIENT);
  await settled(opened, dir.path);
  assert.deepEqual(told(opened).sort(), ["added x", "added y", "updated x", "updated x"]);
  assert.ok(opened.store.get("x")?.directory.endsWith(join(".versions", "1.0.2")));
});

Deno.test("watchTools() stops when disposed, also twice and while a look is under way", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const watch = await watchTools({ store: opened.store, toolsDir: dir.path });
  await handMade(dir.path, "x");
  await watch[Symbol.asyncDispose]();
  await watch[Symbol.asyncDispose]();
  await handMade(dir.path, "y");
  assert.equal(opened.store.get("y"), undefined);
});
