import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import type { LaunchPlan } from "../../src/run/script/launch.ts";
import { launchScript, type LiveScript } from "../../src/run/script/script_launcher.ts";
import { planLaunch } from "../../src/run/script/launch.ts";
import { StandbyPool } from "../../src/run/script/standby_pool.ts";
import { waitsForCall } from "../../src/run/script/waits_for_call.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { needs } from "../support/needs.ts";
import { waitFor } from "../support/wait_for.ts";
import { type Bench, bench, testContext } from "./_fixture.ts";
import { isAlive } from "./_processes.ts";

const ignore = needs("bash");
const READS = `read -r l; echo '{"jsonrpc":"2.0","id":1,"result":{"pid":'$$'}}'\n`;

/** A pool over real processes, with what it started. */
function pool(place: Bench, options: { max?: number; idleMs?: number } = {}) {
  const started: LiveScript[] = [];
  const standby = new StandbyPool({
    ...options,
    launch: async (plan: LaunchPlan, signal: AbortSignal) => {
      const live = await launchScript(plan, place.deps, { signal });
      started.push(live);
      return live;
    },
    end: (live, how) => live.end(how),
    crowded: () => false,
    spareMemory: () => Infinity,
  });
  const plan = (tool: Tool) => planLaunch(tool, place.deps, testContext());
  return { standby, started, plan };
}

Deno.test({
  name: "StandbyPool has a process wait that serves the next call, and only that",
  ignore,
  async fn() {
    await using place = await bench();
    const tool = await place.tool("t", { interpreter: "bash", extension: "sh", code: READS });
    const pids = new Set<unknown>();
    for (let i = 0; i < 5; i++) {
      const result = await place.call(tool);
      pids.add(result.structuredContent?.pid);
    }
    equal(pids.size, 5, "each call has a process of its own");
  },
});

Deno.test({
  name: "StandbyPool.take() gives what waits, once; what is left ends with the pool",
  ignore,
  async fn() {
    await using place = await bench();
    const tool = await place.tool("t", { interpreter: "bash", extension: "sh", code: READS });
    const { standby, started, plan } = pool(place);
    const wanted = await plan(tool);
    {
      await using _standby = standby;
      equal(standby.take(wanted), undefined);
      standby.used(wanted);
      standby.used(wanted);
      await waitFor(() => started.length === 2, { what: "two processes, as many as there were calls" });
      await waitFor(() => standby.size === 2);
      const live = standby.take(wanted);
      ok(live !== undefined);
      equal(isAlive(live.process.pid), true);
      await live.end({ patienceMs: 0 });
      ok(standby.take(wanted) !== live);
    }
    await Promise.all(started.map((live) => live.end({ patienceMs: 0 })));
    for (const live of started) equal(isAlive(live.process.pid), false);
  },
});

Deno.test({
  name: "StandbyPool discards what waits when the tool changes, is forgotten, or is idle",
  ignore,
  async fn() {
    await using place = await bench();
    const { standby, started, plan } = pool(place, { idleMs: 200 });
    await using _standby = standby;
    const first = await plan(await place.tool("t", { interpreter: "bash", extension: "sh", code: READS }));
    standby.used(first);
    await waitFor(() => standby.size === 1);
    const second = await plan(await place.tool("t", { interpreter: "bash", extension: "sh", code: READS }));
    notEqual(first.key, second.key);
    standby.used(second);
    await waitFor(() => started.length === 2);
    equal(standby.take(first), undefined);
    await waitFor(() => started[0] !== undefined && !isAlive(started[0].process.pid));
    await waitFor(() => standby.size === 0, { what: "the idle one's end" });
    standby.used(second);
    await waitFor(() => standby.size === 1 && started.length === 3);
    standby.forget("other");
    equal(standby.size, 1);
    standby.forget("t");
    equal(standby.size, 0);
  },
});

Deno.test({
  name: "StandbyPool notices a script that ends or writes before its call, and never starts it ahead again",
  ignore,
  async fn() {
    await using place = await bench();
    const { standby, started, plan } = pool(place);
    await using _standby = standby;
    const tool = await place.tool("t", {
      interpreter: "bash",
      extension: "sh",
      code: "echo at once; sleep 0.1",
    });
    const wanted = await plan(tool);
    standby.used(wanted);
    await waitFor(() => started.length === 1 && standby.size === 0, { what: "its end to be noticed" });
    standby.used(wanted);
    equal(standby.size, 0);
    equal(standby.take(wanted), undefined);
  },
});

Deno.test({
  name: "StandbyPool keeps to its bound: whoever was used longest ago makes room",
  ignore,
  async fn() {
    await using place = await bench();
    const { standby, started, plan } = pool(place, { max: 2 });
    await using _standby = standby;
    const plans = [];
    for (const name of ["a", "b", "c"]) {
      const wanted = await plan(
        await place.tool(name, { interpreter: "bash", extension: "sh", code: READS }),
      );
      plans.push(wanted);
      standby.used(wanted);
      await waitFor(() => started.some((live) => live.plan === wanted));
    }
    await waitFor(() => standby.size === 2);
    const [a, b, c] = plans.map((wanted) => standby.take(wanted));
    equal(a, undefined);
    ok(b && c);
    await Promise.all([b, c].map((live) => live.end({ patienceMs: 0 })));
  },
});

Deno.test({
  name: "a script that never reads its call is not run ahead of it",
  ignore,
  async fn() {
    await using place = await bench();
    const file = join(place.toolsDir, "runs");
    const code = `echo run >> ${file}; echo '{"jsonrpc":"2.0","id":1,"result":1}'`;
    const tool = await place.tool("eager", { interpreter: "bash", extension: "sh", code });
    equal(await waitsForCall(tool), false);
    for (let i = 0; i < 3; i++) await place.call(tool);
    equal(await readFile(file, "utf8"), "run\n".repeat(3));
  },
});

Deno.test("waitsForCall() goes by the code, and by the manifest's own word", async () => {
  await using place = await bench();
  const tool = (interpreter: string, code: string, extra = {}) =>
    place.tool("t", { interpreter, code, manifest: { extra } }).then(waitsForCall);
  equal(await tool("python3", "import sys\nsys.stdin.readline()"), true);
  equal(await tool("python3", "from skillz import tool"), true);
  equal(await tool("python3", "print(1)"), false);
  equal(await tool("node", 'require("fs").readFileSync(0)'), true);
  equal(await tool("deno run", "console.log(1)"), false);
  equal(await tool("bash", "cat /etc/hosts"), false);
  equal(await tool("bash", "x=$(cat)"), true);
  equal(await tool("bash", "# read the docs\ndate"), false);
  equal(await tool("bash", "read -r l", { standby: false }), false);
  equal(await tool("some-program", "stdin"), false);
});

Deno.test({
  name: "a changed file of code is what the next version runs, whatever stands by",
  ignore,
  async fn() {
    await using place = await bench();
    const answer = (text: string) => `read -r l; echo '{"jsonrpc":"2.0","id":1,"result":"${text}"}'`;
    const old = await place.tool("t", { interpreter: "bash", extension: "sh", code: answer("old") });
    equal(resultText(await place.call(old)), "old");
    equal(resultText(await place.call(old)), "old");
    const fresh = await place.tool("t", { interpreter: "bash", extension: "sh", code: answer("new") });
    equal(resultText(await place.call(fresh)), "new");
    await writeFile(join(place.toolsDir, "unrelated"), "");
    deepEqual((await place.call(fresh)).isError, undefined);
    match(fresh.hash, /^t-/);
  },
});
