import assert from "node:assert/strict";
import { mkdir, readdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openTempRoot, TEMP_ROOT_NAME } from "../../src/base/temp_root.ts";
import { atQuiet } from "../../src/cli/at_quiet.ts";
import { sweepTempRoots } from "../../src/cli/sweep_temp_roots.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";
import { waitFor } from "../support/wait_for.ts";

Deno.test("openTempRoot() makes one private folder at the first need, and removes it in the end", async () => {
  await using dir = await tempDir();
  {
    await using root = openTempRoot({ parent: dir.path });
    assert.deepEqual(await readdir(dir.path), []);
    const [path, again] = await Promise.all([root.path(), root.path()]);
    assert.equal(path, again);
    assert.equal((await stat(path)).mode & 0o077, 0);
    await mkdir(join(path, "kit"));
  }
  assert.deepEqual(await readdir(dir.path), []);
});

Deno.test("sweepTempRoots() removes what nobody owns and nothing else", async () => {
  await using dir = await tempDir();
  await using live = openTempRoot({ parent: dir.path });
  const path = (name: string) => join(dir.path, name);
  await live.path();
  for (const name of ["skillz-0a.run", "skillz-0b.run", "skillz-0c.run", "skillz-test-x", "elsewhere"]) {
    await mkdir(path(name));
  }
  await writeFile(join(path("skillz-0a.run"), ".owner"), "");
  await mkdir(join(path("skillz-0a.run"), "locked", "up"), { recursive: true });
  await Deno.chmod(join(path("skillz-0a.run"), "locked"), 0);
  await utimes(path("skillz-0b.run"), 1, 1);
  await writeFile(join(path("elsewhere"), "kept"), "");
  await symlink(path("elsewhere"), path("skillz-0d.run"));
  await writeFile(path("skillz-0e.run"), "");
  assert.deepEqual((await sweepTempRoots({ parent: dir.path })).sort(), ["skillz-0a.run", "skillz-0b.run"]);
  const left = (await readdir(dir.path)).filter((name) => !name.includes("test-")).sort();
  assert.equal(left.length, 5);
  assert.ok((await stat(await live.path())).isDirectory());
  assert.deepEqual(await readdir(path("elsewhere")), ["kept"]);
});

Deno.test({
  name: "what a killed server left is removed by the next one, and what a living one uses is not",
  ignore: needs("bwrap", "bash"),
  async fn() {
    await using dir = await tempDir();
    const roots = async () => (await readdir(dir.path)).filter((name) => TEMP_ROOT_NAME.test(name));
    const env = { TMPDIR: dir.path, SKILLZ_SANDBOX: "bubblewrap" };
    const use = async (server: Awaited<ReturnType<typeof startServer>>) => {
      await server.text("register_script", {
        name: "hi",
        description: "d",
        code: "read -r l; echo hi",
        interpreter: "bash",
        overwrite: true,
      });
      assert.equal(await server.text("call_tool", { tool_name: "hi" }), "hi");
    };
    await using living = await startServer({ env });
    await use(living);
    const [kept = ""] = await roots();
    {
      await using killed = await startServer({ env });
      await use(killed);
      assert.equal((await roots()).length, 2);
      Deno.kill(killed.pid, "SIGKILL");
    }
    assert.equal((await roots()).length, 2);
    assert.deepEqual((await readdir(dir.path)).filter((name) => name.startsWith("skillz-kit")), []);
    await using _next = await startServer({ env });
    await waitFor(async () => (await roots()).length === 1, { timeoutMs: 30_000 });
    assert.deepEqual(await roots(), [kept]);
    assert.equal(await living.text("call_tool", { tool_name: "hi" }), "hi");
  },
});

Deno.test("atQuiet() waits for a moment without calls, repeats, and ends its work when disposed", async () => {
  const activity = { count: 1 };
  let started = 0;
  let ended = 0;
  {
    await using _quiet = atQuiet(activity, async (signal) => {
      started++;
      if (started < 2) return;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended++;
    }, { afterMs: 1, everyMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(started, 0);
    activity.count = 0;
    await waitFor(() => started === 2, { timeoutMs: 10_000 });
  }
  assert.equal(ended, 1);
});
