import { equal, ok } from "node:assert/strict";
import type { RunningProcess } from "../../src/process/process.ts";
import { findFamilyByMark } from "./_family_by_mark.ts";
import { readLines } from "../../src/process/rpc/lines.ts";
import { spawnProcess } from "../../src/process/spawn.ts";
import { needs } from "../support/needs.ts";
import { bash, isGone, scriptFixture } from "../support/script_fixture.ts";

Deno.test("stop() lets a program end in order on SIGTERM", async () => {
  await using child = spawnProcess(
    bash("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.05; done"),
  );
  const lines = readLines(child.stdout);
  equal((await lines.next()).value, "ready");
  await child.stop({ graceMs: 10_000 });
  equal((await lines.next()).value, "bye");
  equal((await child.status).code, 7);
  await lines.return();
});

Deno.test("stop() kills what ignores SIGTERM once the grace is over", async () => {
  await using child = spawnProcess(scriptFixture("term_proof.sh"));
  equal(await firstLine(child), "ready");
  await child.stop({ graceMs: 100 });
  ok(await isGone(child.pid));
  equal((await child.status).signal, "SIGKILL");
});

Deno.test("stop() ends a grandchild in the group that outlives its parent", async () => {
  await using child = spawnProcess(scriptFixture("forks_grandchild.sh"));
  const grandchild = Number(await firstLine(child));
  await child.status;
  ok(!await isGone(grandchild), "it must live on, or this proves nothing");
  await child.stop({ graceMs: 50 });
  ok(await isGone(grandchild));
});

Deno.test("stop() finds a daemon with a session of its own", { ignore: needs("perl") }, async () => {
  await using child = spawnProcess(scriptFixture("setsid_escape.pl", "stay"));
  const daemon = Number(await firstLine(child));
  ok(!await isGone(daemon));
  await child.stop({ graceMs: 50 });
  ok(await isGone(daemon));
  ok(await isGone(child.pid));
});

Deno.test(
  "disposing finds the daemon of a program that ended by itself",
  { ignore: needs("perl") },
  async () => {
    let daemon: number;
    {
      await using child = spawnProcess(scriptFixture("setsid_escape.pl"), { graceMs: 50 });
      daemon = Number(await firstLine(child));
      equal((await child.status).code, 0);
      ok(!await isGone(daemon));
    }
    ok(await isGone(daemon));
  },
);

Deno.test("stop() finds a grandchild that wiped its environment and left the session", {
  ignore: needs("perl"),
}, async () => {
  await using child = spawnProcess(scriptFixture("env_wiper.pl"));
  const grandchild = Number(await firstLine(child));
  ok(!await isGone(grandchild));
  await child.stop({ graceMs: 50 });
  ok(await isGone(grandchild));
});

Deno.test("stop() wins against a fork bomb that leaves the group", { ignore: needs("perl") }, async () => {
  await using child = spawnProcess(scriptFixture("fork_bomb.pl"));
  equal(await firstLine(child), "ready");
  await child.stop({ graceMs: 100 });
  equal(await findFamilyByMark(child), 0);
});

Deno.test("stop() ends a program that has stopped itself", async () => {
  await using child = spawnProcess(bash("echo ready; kill -STOP $$"));
  equal(await firstLine(child), "ready");
  await child.stop({ graceMs: 50 });
  ok(await isGone(child.pid));
});

Deno.test("stop() with a grace of 0 kills at once", async () => {
  await using child = spawnProcess(scriptFixture("term_proof.sh"));
  equal(await firstLine(child), "ready");
  await child.stop({ graceMs: 0 });
  equal((await child.status).signal, "SIGKILL");
});

Deno.test("stop() touches no process of another child", async () => {
  await using other = spawnProcess(bash("cat"));
  await using child = spawnProcess(bash("sleep 1000"));
  await child.stop();
  await other.write("still here\n");
  await other.endInput();
  equal(await new Response(other.stdout).text(), "still here\n");
});

Deno.test("stop() of many at once leaves none", async () => {
  const children = Array.from({ length: 12 }, () => spawnProcess(bash("sleep 1000 & sleep 1000")));
  await Promise.all(children.map((child) => child[Symbol.asyncDispose]()));
  for (const child of children) ok(await isGone(child.pid));
});

async function firstLine(child: RunningProcess): Promise<string> {
  for await (const line of readLines(child.stdout)) return line;
  throw new Error(`The program ended without a line: ${child.stderrTail()}`);
}
