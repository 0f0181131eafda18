import { deepEqual, equal, ok } from "node:assert/strict";
import { Reaper } from "../../src/process/reaper.ts";
import { readLines } from "../../src/process/rpc/lines.ts";
import { spawnProcess } from "../../src/process/spawn.ts";
import { needs } from "../support/needs.ts";
import { bash, isGone, scriptFixture } from "../support/script_fixture.ts";

Deno.test(
  "Reaper ends daemons of many children that ended by themselves",
  { ignore: needs("perl") },
  async () => {
    await using reaper = new Reaper();
    const daemons = await Promise.all(Array.from({ length: 4 }, async () => {
      await using child = spawnProcess(scriptFixture("setsid_escape.pl"), { strays: reaper });
      const lines = await Array.fromAsync(readLines(child.stdout));
      equal((await child.status).code, 0);
      return Number(lines[0]);
    }));
    await reaper.settled();
    deepEqual(await Promise.all(daemons.map(isGone)), [true, true, true, true]);
  },
);

Deno.test("Reaper leaves children alone that still run", async () => {
  await using reaper = new Reaper();
  await using running = spawnProcess(bash("cat"), { strays: reaper });
  {
    await using ended = spawnProcess(bash("true"), { strays: reaper });
    await ended.status;
  }
  await reaper.settled();
  await running.write("here\n");
  await running.endInput();
  equal(await new Response(running.stdout).text(), "here\n");
});

Deno.test("Reaper is not needed for members of the group: they end when the child is disposed", async () => {
  await using reaper = new Reaper();
  let grandchild: number;
  {
    await using child = spawnProcess(scriptFixture("forks_grandchild.sh"), { strays: reaper, graceMs: 50 });
    const lines = readLines(child.stdout);
    grandchild = Number((await lines.next()).value);
    await child.status;
    await lines.return();
  }
  ok(await isGone(grandchild));
});

Deno.test("Reaper finishes its work when it is closed", { ignore: needs("perl") }, async () => {
  let daemon: number;
  {
    await using reaper = new Reaper();
    await using child = spawnProcess(scriptFixture("setsid_escape.pl"), { strays: reaper });
    daemon = Number((await Array.fromAsync(readLines(child.stdout)))[0]);
    await child.status;
  }
  ok(await isGone(daemon));
});
