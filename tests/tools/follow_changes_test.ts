import assert from "node:assert/strict";
import { join } from "node:path";
import { changesSoFar, followChanges } from "../../src/tools/follow_changes.ts";
import { tempDir } from "../support/temp_dir.ts";
import { waitFor } from "../support/wait_for.ts";
import { draft, type OpenedStore, openStore } from "./_support.ts";

const follow = async ({ store }: OpenedStore, toolsDir: string, from?: number) =>
  await followChanges({ store, toolsDir, from: from ?? await changesSoFar(toolsDir) });

const changes = ({ events }: OpenedStore) => events.map((event) => "change" in event ? event.change : "");

Deno.test("followChanges() shows what another server saved, changed, rolled back and removed", async () => {
  await using dir = await tempDir();
  await using theirs = await openStore(dir.path);
  await using ours = await openStore(dir.path);
  await using _following = await follow(ours, dir.path);
  const version = () => ours.store.get("x")?.manifest.version;
  await theirs.store.save(draft("x", "1"));
  await waitFor(() => version() === "1.0.0", { timeoutMs: 20_000 });
  await theirs.store.save(draft("x", "2"), { overwrite: true });
  await waitFor(() => version() === "1.0.1", { timeoutMs: 20_000 });
  await theirs.store.rollback("x", "1.0.0");
  await waitFor(() => version() === "1.0.0", { timeoutMs: 20_000 });
  await theirs.store.remove("x");
  await waitFor(() => version() === undefined, { timeoutMs: 20_000 });
  assert.deepEqual(changes(ours), ["added", "updated", "updated", "removed"]);
  assert.deepEqual(ours.store.broken(), []);
});

Deno.test("followChanges() hears of own changes no second time", async () => {
  await using dir = await tempDir();
  await using ours = await openStore(dir.path);
  await using theirs = await openStore(dir.path);
  await using _following = await follow(ours, dir.path);
  await ours.store.save(draft("x", "1"));
  await ours.store.save(draft("x", "2"), { overwrite: true });
  await ours.store.remove("x");
  await theirs.store.save(draft("last", "1"));
  await waitFor(() => ours.store.get("last") !== undefined, { timeoutMs: 20_000 });
  assert.deepEqual(changes(ours), ["added", "updated", "removed", "added"]);
});

Deno.test("followChanges() catches up with what came between the load and the watch", async () => {
  await using dir = await tempDir();
  await using theirs = await openStore(dir.path);
  const from = await changesSoFar(dir.path);
  await using ours = await openStore(dir.path);
  await theirs.store.save(draft("x", "1"));
  await using _following = await follow(ours, dir.path, from);
  await waitFor(() => ours.store.get("x") !== undefined, { timeoutMs: 20_000 });
});

Deno.test("followChanges() goes on when its file begins anew, and when somebody removes it", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, ".changes");
  await Deno.writeTextFile(file, "gone\n".repeat(20_000));
  await using theirs = await openStore(dir.path);
  await using ours = await openStore(dir.path);
  await using _following = await follow(ours, dir.path);
  await theirs.store.save(draft("x", "1"));
  await waitFor(() => ours.store.get("x") !== undefined, { timeoutMs: 20_000 });
  assert.equal(await Deno.readTextFile(file), "x\n");
  await Deno.remove(file);
  await theirs.store.save(draft("y", "1"));
  await waitFor(() => ours.store.get("y") !== undefined, { timeoutMs: 20_000 });
  await theirs.store.save(draft("z", "1"));
  await waitFor(() => ours.store.get("z") !== undefined, { timeoutMs: 20_000 });
});

Deno.test("followChanges() takes no name out of the file for a path", async () => {
  await using dir = await tempDir();
  await using theirs = await openStore(dir.path);
  await using ours = await openStore(dir.path);
  const asked: (string | undefined)[] = [];
  const store = {
    refresh: async (name?: string) => {
      asked.push(name);
      await ours.store.refresh(name);
    },
  };
  await using _following = await followChanges({ store, toolsDir: dir.path, from: 0 });
  await Deno.writeTextFile(join(dir.path, ".changes"), "../x\n/etc\n.staging\n", { append: true });
  await theirs.store.save(draft("x", "1"));
  await waitFor(() => ours.store.get("x") !== undefined, { timeoutMs: 20_000 });
  assert.deepEqual([...new Set(asked)], ["x"]);
});
