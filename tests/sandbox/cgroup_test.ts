import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openCgroups } from "../../src/sandbox/cgroup.ts";
import { tempDir } from "../support/temp_dir.ts";

/** A folder tree that looks like a cgroup file system; real ones need rights that a test may lack. */
async function lookAlike(
  path: string,
  files: Record<string, string>,
): Promise<{ root: string; self: string }> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(path, name);
    await mkdir(join(file, ".."), { recursive: true });
    await writeFile(file, text);
  }
  return { root: join(path, "cgroup"), self: join(path, "self") };
}

Deno.test("openCgroups() makes groups below our own in version 1", async () => {
  await using dir = await tempDir();
  const place = await lookAlike(dir.path, {
    self: "9:name=systemd:/\n8:pids:/\n4:memory:/here\n0::/\n",
    "cgroup/pids/tasks": "",
    "cgroup/memory/here/tasks": "",
  });
  const maker = await openCgroups(place);
  assert.deepEqual(maker.holds, ["memory_mb", "processes"]);
  const group = await maker.create({ memory_mb: 64, processes: 5 });
  const [memory = "", pids = ""] = group.procs.map((file) => join(file, ".."));
  assert.ok(memory.startsWith(join(place.root, "memory/here/skillz-")), memory);
  assert.equal(await readFile(join(memory, "memory.limit_in_bytes"), "utf8"), String(64 << 20));
  assert.equal(await readFile(join(pids, "pids.max"), "utf8"), "9");
  assert.deepEqual(await group.hits(), []);
  await writeFile(join(memory, "memory.oom_control"), "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  await writeFile(join(pids, "pids.events"), "max 1\n");
  assert.deepEqual(await group.hits(), ["memory_mb", "processes"]);
});

Deno.test("openCgroups() makes groups beside our own in version 2, if both controllers are handed down", async () => {
  await using dir = await tempDir();
  const files = {
    self: "0::/user.slice/app.service\n",
    "cgroup/user.slice/cgroup.subtree_control": "cpu memory pids\n",
    "cgroup/user.slice/app.service/cgroup.procs": "",
  };
  const place = await lookAlike(dir.path, files);
  const maker = await openCgroups(place);
  assert.deepEqual(maker.holds, ["memory_mb", "processes"]);
  const group = await maker.create({ memory_mb: 64, processes: 5 });
  assert.equal(group.procs.length, 1);
  const folder = join(group.procs[0] ?? "", "..");
  assert.equal(await readFile(join(folder, "memory.max"), "utf8"), String(64 << 20));
  await writeFile(join(folder, "memory.events"), "low 0\noom 1\noom_kill 1\n");
  assert.deepEqual(await group.hits(), ["memory_mb"]);
  await writeFile(join(place.root, "user.slice/cgroup.subtree_control"), "cpu\n");
  assert.deepEqual((await openCgroups(place)).holds, []);
});

Deno.test("openCgroups() holds nothing where there are no cgroups or no rights", async () => {
  await using dir = await tempDir();
  const none = await openCgroups({ root: join(dir.path, "none"), self: join(dir.path, "none") });
  assert.deepEqual(none.holds, []);
  await using group = await none.create({ memory_mb: 1, processes: 1 });
  assert.deepEqual([group.procs, await group.hits()], [[], []]);
});

Deno.test("openCgroups() clears away groups of servers that are gone, and no others", async () => {
  await using dir = await tempDir();
  const place = await lookAlike(dir.path, { self: "8:pids:/\n", "cgroup/pids/tasks": "" });
  const names = ["skillz-999999999-3", `skillz-${Deno.ppid}-1`, "other-999999999-1"];
  for (const name of names) await mkdir(join(place.root, "pids", name));
  await openCgroups(place);
  assert.deepEqual((await readdir(join(place.root, "pids"))).sort(), [...names.slice(1), "tasks"].sort());
});
