import assert from "node:assert/strict";
import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { boundTarget } from "../../src/author/rust/bound_target.ts";
import { lockFile } from "../../src/base/file_lock.ts";
import { collectEnvironments } from "../../src/install/collect_environments.ts";
import { LOCK_FILE, ToolEnvironments } from "../../src/install/tool_environments.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { tempDir } from "../support/temp_dir.ts";
import { testManifest } from "../support/test_manifest.ts";
import { installBench, TIMEOUT_MS } from "./_bench.ts";

async function* each(tools: readonly Tool[]): AsyncIterable<Tool> {
  yield* await Promise.resolve(tools);
}

Deno.test("collectEnvironments() removes real environments that nobody refers to, and each other stays and works", async (t) => {
  await using bench = await installBench();
  const environments = new ToolEnvironments(bench.store);
  const envs = join(bench.toolsDir, ".envs");
  const tool = async (name: string, dependencies: string[], lock?: string): Promise<Tool> => {
    const directory = join(bench.path, name);
    await mkdir(directory);
    if (lock !== undefined) await writeFile(join(directory, LOCK_FILE), lock);
    const manifest = testManifest(name, { interpreter: "deno run", dependencies });
    return { name, directory, hash: name, manifest };
  };
  const options = { timeoutMs: TIMEOUT_MS };
  const kept = await tool("kept", ["npm:left-pad@1.3.0"]);
  const gone = await tool("gone", ["npm:is-odd@3.0.1"]);
  await environments.prepare(kept, options);
  await environments.prepare(gone, options);
  const all = await bench.left();
  assert.equal(all.length, 2);
  const age = async () => {
    for (const name of await bench.left()) await utimes(join(envs, name), 1, 1);
  };
  const collect = (...tools: Tool[]) => collectEnvironments(bench.toolsDir, () => each(tools));

  await t.step("young ones stay, and nobody is asked", async () => {
    const asked = () => assert.fail("asked for states");
    assert.deepEqual(await collectEnvironments(bench.toolsDir, asked), []);
  });
  await t.step("what is used by anybody counts as young", async () => {
    await age();
    await environments.runtime(kept, options);
    await new ToolEnvironments(bench.storeAt(bench.toolsDir)).runtime(gone, options);
    assert.deepEqual(await collect(), []);
  });
  await t.step("one under the lock of an installation stays", async () => {
    await age();
    await using _held = await lockFile(join(envs, ".locks", all[0] ?? ""));
    await using _other = await lockFile(join(envs, ".locks", all[1] ?? ""));
    assert.deepEqual(await collect(), []);
  });
  await t.step("a lock of another installation is not that of the tool", async () => {
    const other = await tool("other", ["npm:is-odd@3.0.1"], "another lock");
    const same = await tool("same", ["npm:is-odd@3.0.1"]);
    assert.equal((await collect(kept, other)).length, 1);
    await environments.prepare(gone, options);
    await age();
    assert.deepEqual(await collect(kept, same), []);
  });
  await t.step("only the one that nobody refers to goes, and what was cut off", async () => {
    await mkdir(join(envs, ".cut.tmp"));
    await mkdir(join(envs, "unfinished"));
    await age();
    assert.equal((await collect(kept)).length, 3);
    assert.equal((await bench.left()).length, 1);
    assert.ok(await environments.runtime(kept, options));
  });
  await t.step("one that was removed is made again when it is needed", async () => {
    assert.ok(await environments.runtime(gone, options));
    assert.equal((await bench.left()).length, 2);
  });
});

Deno.test("boundTarget() removes what cargo has compiled when it is too large, and not while cargo works", async () => {
  await using dir = await tempDir();
  const cache = join(dir.path, ".cache", "rust");
  const target = join(cache, "target");
  await mkdir(join(target, "release"), { recursive: true });
  await writeFile(join(target, "release", "a.rlib"), "x".repeat(1000));
  assert.deepEqual(await boundTarget(dir.path, { maxBytes: 1000 }), []);
  {
    await using _busy = await lockFile(join(cache, "cargo.lock"));
    assert.deepEqual(await boundTarget(dir.path, { maxBytes: 999 }), []);
    assert.ok(await stat(join(target, "release", "a.rlib")));
  }
  assert.equal((await boundTarget(dir.path, { maxBytes: 999 })).length, 1);
  assert.deepEqual(await readdir(target), []);
  assert.deepEqual((await readdir(cache)).sort(), ["cargo.lock", "target"]);
});
