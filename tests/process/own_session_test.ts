import { deepEqual, equal, ok } from "node:assert/strict";
import { readLines } from "../../src/process/rpc/lines.ts";
import { spawnProcess } from "../../src/process/spawn.ts";
import { readProcessTable } from "../../src/process/process_table.ts";
import { needs } from "../support/needs.ts";
import { isGone } from "../support/script_fixture.ts";
import { waitFor } from "../support/wait_for.ts";

const ignore = needs("setsid", "bash");

/** A program that begins with `setsid`, with two children that wait. */
const SPEC = {
  command: "/usr/bin/setsid",
  args: ["bash", "-c", "sleep 600 & sleep 600 & echo $$ $!; wait"],
  cwd: "/",
  env: { PATH: "/usr/bin:/bin" },
  ownSession: true,
};

Deno.test({
  name: "spawnProcess() leaves it to the command to lead a group of its own, and ends all of it",
  ignore,
  async fn() {
    await using child = spawnProcess(SPEC);
    const lines = readLines(child.stdout);
    const [leader = 0, other = 0] = String((await lines.next()).value).split(" ").map(Number);
    equal(leader, child.pid);
    const table = await readProcessTable();
    deepEqual([table.get(leader)?.group, table.get(other)?.group], [leader, leader]);
    await child.stop({ graceMs: 0 });
    await waitFor(async () => await isGone(leader) && await isGone(other), { timeoutMs: 20_000 });
    await lines.return();
  },
});

Deno.test({
  name: "spawnProcess() ends a command that has not come to lead its group yet",
  ignore,
  async fn() {
    for (let round = 0; round < 10; round++) {
      const child = spawnProcess(SPEC);
      await child.stop({ graceMs: 0 });
      await child[Symbol.asyncDispose]();
      ok(await isGone(child.pid));
    }
  },
});
