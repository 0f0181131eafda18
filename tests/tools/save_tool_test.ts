import assert from "node:assert/strict";
import { join } from "node:path";
import { tempDir } from "../support/temp_dir.ts";
import { draft, handMade, names, openStore, snapshot } from "./_support.ts";

Deno.test("save() makes the folder visible, remembers the tool and tells of it", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const tool = await opened.store.save(draft("hello", "echo 1"));
  assert.equal(tool.manifest.version, "1.0.0");
  assert.equal(opened.store.get("hello"), tool);
  assert.deepEqual(opened.events, [{ kind: "tool", change: "added", name: "hello" }]);
  assert.equal(await Deno.readTextFile(join(dir.path, "hello", "hello.sh")), "echo 1");
  assert.equal(await Deno.readTextFile(join(tool.directory, "hello.sh")), "echo 1");
  assert.equal(
    JSON.parse(await Deno.readTextFile(join(dir.path, "hello", "manifest.json"))).version,
    "1.0.0",
  );
  assert.deepEqual(await names(join(dir.path, ".staging")), []);
});

Deno.test("B42 save() keeps every state once, also two in one second", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const { store } = opened;
  await store.save(draft("x", "echo 1", { description: "first" }));
  await store.save(draft("x", "echo 2", { description: "second" }), { overwrite: true });
  await store.save(draft("x", "echo 2", { description: "second" }), { overwrite: true });
  const versions = await store.versions("x");
  assert.deepEqual(versions.map((info) => [info.version, info.current]), [
    ["1.0.2", true],
    ["1.0.1", false],
    ["1.0.0", false],
  ]);
  assert.equal(versions[0]?.hash, versions[1]?.hash);
  assert.notEqual(versions[1]?.hash, versions[2]?.hash);
  const times = versions.map((info) => Date.parse(info.created_at));
  assert.deepEqual(times, [...times].sort((a, b) => b - a));
  assert.deepEqual(opened.events.map((event) => "change" in event ? event.change : ""), [
    "added",
    "updated",
    "updated",
  ]);
});

Deno.test("B42 save() without overwrite refuses a used name and changes nothing", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  await opened.store.save(draft("x", "echo 1"));
  const before = await snapshot(join(dir.path, "x"));
  await assert.rejects(() => opened.store.save(draft("x", "echo 2")), {
    code: "conflict",
    hint: /overwrite/,
  });
  assert.deepEqual(await snapshot(join(dir.path, "x")), before);
});

Deno.test("B42 save() leaves the old state in force when beforeCommit throws", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const first = await opened.store.save(draft("x", "echo 1"));
  const before = await snapshot(join(dir.path, "x"));
  await assert.rejects(
    () =>
      opened.store.save(draft("x", "echo 2"), {
        overwrite: true,
        beforeCommit: async (staged) => {
          assert.equal(await Deno.readTextFile(join(staged.directory, "x.sh")), "echo 2");
          assert.equal(staged.manifest.version, "1.0.1");
          throw new Error("No such package");
        },
      }),
    /No such package/,
  );
  assert.equal(opened.store.get("x"), first);
  assert.deepEqual(await snapshot(join(dir.path, "x")), before);
  await assert.rejects(
    () => opened.store.save(draft("y", "echo"), { beforeCommit: () => Promise.reject(new Error("Refused")) }),
    /Refused/,
  );
  assert.equal(opened.store.get("y"), undefined);
  assert.ok(!(await names(dir.path)).includes("y"));
});

Deno.test("save() stops when the signal aborts, and leaves nothing", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const controller = new AbortController();
  const saving = opened.store.save(draft("x", "echo"), {
    signal: controller.signal,
    beforeCommit: () => {
      controller.abort(new Error("Cancelled by the client"));
      return Promise.resolve();
    },
  });
  await assert.rejects(saving, /Cancelled by the client/);
  assert.equal(opened.store.get("x"), undefined);
  assert.deepEqual(await names(join(dir.path, ".staging")), []);
});

Deno.test("save() gives what beforeCommit put beside the code its place in the version", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const beforeCommit = async (staged: { directory: string }) => {
    await Deno.mkdir(join(staged.directory, "env"));
    await Deno.writeTextFile(join(staged.directory, "env", "big"), "package");
    await Deno.writeTextFile(join(staged.directory, "requirements.lock"), "six==1");
  };
  let stagedHash = "";
  const tool = await opened.store.save(draft("x", "echo"), {
    beforeCommit: async (staged) => {
      stagedHash = staged.hash;
      await beforeCommit(staged);
    },
  });
  assert.equal(await Deno.readTextFile(join(tool.directory, "env", "big")), "package");
  assert.equal(await Deno.readTextFile(join(tool.directory, "requirements.lock")), "six==1");
  assert.equal(tool.hash, stagedHash, "what was approved is what runs");
});

Deno.test("save() keeps a state that was edited by hand before it replaces it", async () => {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x");
  await using opened = await openStore(dir.path);
  assert.equal(opened.store.get("x")?.directory, folder);
  const saved = await opened.store.save(draft("x", "echo 2"), { overwrite: true });
  assert.equal(saved.manifest.version, "1.0.1");
  await Deno.writeTextFile(join(folder, "x.sh"), "echo edited");
  // No refresh: the disk counts, not what the store remembers.
  const next = await opened.store.save(draft("x", "echo 3"), { overwrite: true });
  const texts = await Promise.all((await opened.store.versions("x")).map(async ({ version }) => {
    const tool = await opened.store.version("x", version);
    return [version, await Deno.readTextFile(join(tool.directory, "x.sh"))];
  }));
  assert.deepEqual(texts, [[next.manifest.version, "echo 3"], ["1.0.2", "echo edited"], ["1.0.1", "echo 2"], [
    "1.0.0",
    "echo 1",
  ]]);
});

Deno.test("save() drops files that the new version does not have, and keeps environment and own data", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const fields = { permissions: { write: ["$TOOL/data"] } };
  const first = draft("x", "echo 1", fields);
  const before = await opened.store.save({ ...first, files: { ...first.files, "lib/old.sh": "1" } });
  const home = join(dir.path, "x");
  await Deno.mkdir(join(before.directory, "data"));
  await Deno.writeTextFile(join(before.directory, "data", "notes"), "mine");
  await Deno.mkdir(join(home, "env"));
  await Deno.writeTextFile(join(home, "env", "kept"), "1");
  const second = draft("x", "echo 2", fields);
  const after = await opened.store.save({ ...second, files: { ...second.files, "lib.sh": "2" } }, {
    overwrite: true,
  });
  assert.deepEqual(await names(home), [".versions", "env", "lib.sh", "manifest.json", "x.sh"]);
  assert.equal(await Deno.readTextFile(join(after.directory, "data", "notes")), "mine");
  assert.equal(await Deno.readTextFile(join(before.directory, "lib", "old.sh")), "1");
});

Deno.test("B42 a tool taken before an update finds the code it began with", async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const before = await opened.store.save(draft("x", "echo 1"));
  await opened.store.save(draft("x", "echo 2"), { overwrite: true });
  await opened.store.save(draft("x", "echo 3"), { overwrite: true });
  await opened.store.rollback("x", "1.0.1");
  assert.equal(await Deno.readTextFile(join(before.directory, "x.sh")), "echo 1");
  assert.equal(before.manifest.version, "1.0.0");
});

Deno.test("save() makes scripts executable, for those that are started by their #! line", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using dir = await tempDir();
  await using opened = await openStore(dir.path);
  const tool = await opened.store.save(draft("x", "#!/bin/sh\necho"));
  for (const folder of [tool.directory, join(dir.path, "x")]) {
    assert.equal(((await Deno.stat(join(folder, "x.sh"))).mode ?? 0) & 0o111, 0o111);
  }
});
