import { deepEqual, equal, match, notEqual, ok, rejects } from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { needs } from "../support/needs.ts";
import { waitFor } from "../support/wait_for.ts";
import { type Bench, bench, testCaller, testContext } from "./_fixture.ts";
import { isAlive } from "./_processes.ts";

/** Counts its calls; sleeps, crashes, or ignores its cancel when told. */
const COUNTER = `
from skillz import *
import os, sys, time
calls = 0

@tool
def main(do="", seconds=0):
    global calls
    calls += 1
    if do == "crash": os._exit(3)
    if do == "stubborn":
        log("started")
        end = time.time() + seconds
        while time.time() < end:
            try: time.sleep(0.01)
            except BaseException: pass
    if do == "sleep":
        log("started")
        end = time.time() + seconds
        while time.time() < end: time.sleep(0.01)
    return {"calls": calls, "pid": os.getpid(), "id": context["call"]["id"]}
`;

function counter(place: Bench, concurrency = 1): Promise<Tool> {
  return place.tool("counter", {
    interpreter: "python3",
    extension: "py",
    code: COUNTER,
    manifest: { lifecycle: "persistent", concurrency },
  });
}

async function count(
  place: Bench,
  tool: Tool,
  args = {},
  ctx = testContext(),
): Promise<{ calls: number; pid: number }> {
  const result = await place.call(tool, args, ctx);
  equal(result.isError, undefined, resultText(result));
  return result.structuredContent as unknown as { calls: number; pid: number };
}

const ignore = needs("python3");

Deno.test({
  name: "PersistentPool has one process serve many calls, and ends it with the server",
  ignore,
  async fn() {
    let pid = 0;
    {
      await using place = await bench();
      const tool = await counter(place);
      const first = await count(place, tool);
      const rest = await Promise.all([1, 2, 3].map(() => count(place, tool)));
      deepEqual(rest.map(({ calls }) => calls), [2, 3, 4]);
      deepEqual(new Set(rest.map((each) => each.pid)), new Set([first.pid]));
      pid = first.pid;
    }
    equal(isAlive(pid), false);
  },
});

Deno.test({
  name: "PersistentPool starts the process again after a crash, which fails only its own call",
  ignore,
  async fn() {
    await using place = await bench();
    const tool = await counter(place);
    const { pid } = await count(place, tool);
    const crashed = await place.call(tool, { do: "crash" });
    equal(crashed.isError, true);
    match(resultText(crashed), /exit code 3/);
    const again = await count(place, tool);
    equal(again.calls, 1);
    notEqual(again.pid, pid);
  },
});

Deno.test({
  name: "PersistentPool keeps the process of a cancelled call that yields",
  ignore,
  async fn() {
    await using place = await bench({ deps: { persistent: { yieldMs: 30_000 } } });
    const tool = await counter(place);
    const { pid } = await count(place, tool);
    const stop = new AbortController();
    const { caller, heard } = testCaller();
    const call = place.call(
      tool,
      { do: "sleep", seconds: 600 },
      testContext({ caller, signal: stop.signal }),
    );
    call.catch(() => {});
    await waitFor(() => heard.logs.length > 0, { what: "the call's start" });
    stop.abort(new Error("enough"));
    await rejects(call, /enough/);
    deepEqual(await count(place, tool).then(({ calls, pid }) => ({ calls, pid })), { calls: 3, pid });
  },
});

Deno.test({
  name: "PersistentPool ends the process of a cancelled call that does not yield, and tells the others",
  ignore,
  async fn() {
    await using place = await bench({ deps: { persistent: { yieldMs: 50 } } });
    const tool = await counter(place, 2);
    const { pid } = await count(place, tool);
    const stop = new AbortController();
    const [one, two] = [testCaller(), testCaller()];
    const call = place.call(
      tool,
      { do: "stubborn", seconds: 60 },
      testContext({ caller: one.caller, signal: stop.signal }),
    );
    call.catch(() => {});
    await waitFor(() => one.heard.logs.length > 0, { what: "the first call's start" });
    const other = place.call(tool, { do: "sleep", seconds: 600 }, testContext({ caller: two.caller }));
    await waitFor(() => two.heard.logs.length > 0, { what: "the second call's start" });
    stop.abort(new Error("enough"));
    await rejects(call, /enough/);
    const lost = await other;
    equal(lost.isError, true);
    match(resultText(lost), /another call of this tool did not stop/);
    await waitFor(() => !isAlive(pid), { what: "the end of the process" });
    equal((await count(place, tool)).calls, 1);
  },
});

Deno.test({
  name: "PersistentPool serves `concurrency` calls at once, each with its own notes",
  ignore,
  async fn() {
    await using place = await bench();
    const tool = await place.tool("pair", {
      interpreter: "python3",
      extension: "py",
      manifest: { lifecycle: "persistent", concurrency: 2 },
      code: `
from skillz import *
import threading
both = threading.Barrier(2)

@tool
def main(name):
    both.wait(30)
    progress(1, message=name)
    memory.set(name, name)
    both.wait(30)
    return {"name": context["call"]["id"], "keys": memory.list(name)}
`,
    });
    const [one, two] = [testCaller(), testCaller()];
    const results = await Promise.all([
      place.call(tool, { name: "a" }, testContext({ callId: "A", caller: one.caller })),
      place.call(tool, { name: "b" }, testContext({ callId: "B", caller: two.caller })),
    ]);
    deepEqual(results.map((result) => result.structuredContent), [
      { name: "A", keys: ["a"] },
      { name: "B", keys: ["b"] },
    ]);
    deepEqual(one.heard.progress, [{ progress: 1, message: "a" }]);
    deepEqual(two.heard.progress, [{ progress: 1, message: "b" }]);
  },
});

Deno.test({
  name: "PersistentPool ends a process when its tool changes, is forgotten, or is idle",
  ignore,
  async fn() {
    await using place = await bench({ deps: { persistent: { idleMs: 50 } } });
    const old = await count(place, await counter(place));
    await waitFor(() => !isAlive(old.pid), { what: "the end of the idle process" });
    const tool = await counter(place);
    const { caller, heard } = testCaller();
    const running = count(place, tool, { do: "sleep", seconds: 0.5 }, testContext({ caller }));
    await waitFor(() => heard.logs.length > 0, { what: "the call's start" });
    await place.runner.forget?.("counter");
    const { pid } = await running;
    await waitFor(() => !isAlive(pid), { what: "the end of the forgotten process" });
    ok(pid > 0);
  },
});

Deno.test({
  name:
    "PersistentPool gives nested calls a process of their own, so that tools that call each other don't lock up",
  ignore,
  async fn() {
    await using place = await bench();
    const tool = await counter(place);
    const { caller, heard } = testCaller();
    const outer = count(place, tool, { do: "sleep", seconds: 1 }, testContext({ caller }));
    await waitFor(() => heard.logs.length > 0, { what: "the outer call's start" });
    const inner = await count(place, tool, {}, testContext({ depth: 1, chain: ["other"] }));
    equal(inner.calls, 1);
    notEqual(inner.pid, (await outer).pid);
  },
});

for (
  const [program, extension, code] of [
    ["node", "mjs", 'import { tool } from "skillz"; let n = 0; tool(() => ({ n: ++n }));'],
    ["deno", "ts", 'import { tool } from "skillz"; let n = 0; tool(() => ({ n: ++n }));'],
    ["ruby", "rb", 'require "skillz"\nn = 0\nSkillz.tool { |_| { n: n += 1 } }'],
    [
      "bash",
      "sh",
      '. skillz.sh\nn=1\nwhile skillz_result_json "{\\"n\\":$n}"; n=$((n + 1)); do skillz_next || exit; done',
    ],
  ] as const
) {
  Deno.test({
    name: `PersistentPool works with the helper library of ${program}`,
    ignore: needs(program),
    async fn() {
      await using place = await bench();
      const interpreter = program === "deno" ? "deno run" : program;
      const tool = await place.tool("n", {
        interpreter,
        extension,
        code,
        manifest: { lifecycle: "persistent" },
      });
      for (const n of [1, 2, 3]) deepEqual((await place.call(tool)).structuredContent, { n });
    },
  });
}
