import assert from "node:assert/strict";
import { okResult } from "../../../src/base/tool_result.ts";
import { errorResult } from "../../../src/base/tool_result.ts";
import { echo, fails, TestTools } from "./_tools.ts";

Deno.test("for_each runs once for each item, in a bounded number at a time, results in order", async () => {
  let [now, most] = [0, 0];
  const waiting: (() => void)[] = [];
  const tools = new TestTools({
    slow: {
      run: async (args) => {
        most = Math.max(most, ++now);
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        // The last to come lets all go, so that later ones end before earlier ones could.
        if (waiting.length === 8 || args.i === 19) waiting.splice(0).reverse().forEach((go) => go());
        await promise;
        now--;
        return okResult("", { twice: Number(args.n) * 2, i: args.i ?? null });
      },
    },
  });
  const numbers = Array.from({ length: 20 }, (_, i) => i + 100);
  const { output, steps } = await tools.outcome(
    {
      steps: [{ name: "all", for_each: "$input.numbers", tool: "slow", args: { n: "$item", i: "$index" } }],
      output: "$all",
    },
    { numbers },
  );
  assert.deepEqual(output, numbers.map((n, i) => ({ twice: n * 2, i })));
  assert.equal(most, 8);
  assert.equal(steps[0]?.items, 20);
});

Deno.test("for_each takes at most 1,000 items, none is fine, and nothing but a list", async () => {
  const tools = new TestTools({ echo });
  const pipeline = { steps: [{ for_each: "$input.list", tool: "echo", args: { x: "$item" } }] };
  const run = (list: number[] | string | undefined) =>
    tools.outcome(pipeline, list === undefined ? {} : { list });
  assert.deepEqual((await run([])).output, []);
  assert.equal(tools.calls.length, 0);
  const thousand = Array.from({ length: 1000 }, (_, i) => i);
  assert.deepEqual((await run(thousand)).output, thousand.map((x) => ({ x })));
  const { error } = await run([...thousand, 1000]);
  assert.match(error ?? "", /it has 1001 items, at most 1000/);
  assert.equal(tools.calls.length, 1000);
  assert.match((await run("text")).error ?? "", /it is string, a list is needed/);
  assert.match((await run(undefined)).error ?? "", /it is absent, a list is needed/);
});

Deno.test("a condition with $item chooses items, one without it the whole step", async () => {
  const tools = new TestTools({ echo });
  const step = { name: "some", for_each: "$input.list", tool: "echo", args: { x: "$item" } };
  const list = [1, 2, 3];
  const some = await tools.outcome({ steps: [{ ...step, condition: "$item > 1 && $index < 2" }] }, { list });
  assert.deepEqual(some.output, [null, { x: 2 }, null]);
  const none = await tools.outcome({ steps: [{ ...step, condition: "$input.list.length > 5" }] }, { list });
  assert.equal(none.output, null);
  assert.equal(none.steps[0]?.status, "skipped");
});

Deno.test("an item that fails ends the loop, unless continue_on_error keeps its place", async () => {
  const odd = {
    run: (args: { x?: unknown }) => args.x === 2 ? errorResult("no 2") : okResult("", { x: Number(args.x) }),
  };
  const tools = new TestTools({ odd });
  const step = { for_each: "$input.list", tool: "odd", args: { x: "$item" } };
  const list = [1, 2, 3];
  const ended = await tools.outcome({ steps: [step] }, { list });
  assert.match(ended.error ?? "", /step 1 \(step1\): item 1: no 2/);
  const kept = await tools.outcome({ steps: [{ ...step, continue_on_error: true }] }, { list });
  assert.deepEqual(kept.output, [{ x: 1 }, { error: "no 2" }, { x: 3 }]);
  assert.equal(kept.result.isError, undefined);
});

Deno.test("retry repeats a failed step as often as it says", async () => {
  let calls = 0;
  const tools = new TestTools({
    flaky: { run: () => ++calls < 3 ? errorResult(`try ${calls}`) : okResult("", { calls }) },
    never: fails("no"),
  });
  const { output, steps } = await tools.outcome({
    steps: [{ tool: "flaky", retry: { max: 5, delay_ms: 1 } }],
  });
  assert.deepEqual(output, { calls: 3 });
  assert.equal(steps[0]?.attempts, 3);
  calls = -10;
  const { error } = await tools.outcome({ steps: [{ tool: "flaky", retry: { max: 1 } }] });
  assert.match(error ?? "", /try -8/);
  await tools.outcome({ steps: [{ tool: "never", retry: { max: 0 } }] });
  assert.equal(tools.calls.filter(({ name }) => name === "never").length, 1);
});

Deno.test("parallel runs steps at once; each name, and the group's, is visible afterwards", async () => {
  const bothThere = Promise.withResolvers<void>();
  let there = 0;
  const meets = {
    run: async (args: { n?: unknown }) => {
      if (++there === 2) bothThere.resolve();
      await bothThere.promise;
      return okResult("", { n: Number(args.n) });
    },
  };
  const tools = new TestTools({ meets, echo });
  const { output, steps } = await tools.outcome({
    steps: [
      { tool: "echo", args: { n: 7 } },
      {
        name: "both",
        parallel: [{ name: "a", tool: "meets", args: { n: "$prev.n" } }, { tool: "meets", args: { n: 2 } }],
      },
      { tool: "echo", args: { all: "$prev", a: "$a.n", b: "$both.step4.n" } },
    ],
  });
  assert.deepEqual(output, { all: { a: { n: 7 }, step4: { n: 2 } }, a: 7, b: 2 });
  assert.deepEqual(steps[1]?.steps instanceof Array && steps[1].steps.length, 2);
});

Deno.test("a step of a group that fails ends the others; continue_on_error keeps them", async () => {
  const hangs = {
    run: (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  };
  const tools = new TestTools({ hangs, broken: fails("broken"), echo });
  const ended = await tools.outcome({
    steps: [{ name: "g", parallel: [{ name: "h", tool: "hangs" }, { name: "b", tool: "broken" }] }],
  });
  assert.match(ended.error ?? "", /step 1 \(g\): step "b": broken/);
  const inner = ended.steps[0]?.steps;
  assert.ok(Array.isArray(inner));
  assert.match(JSON.stringify(inner[0]), /"status":"cancelled".*step \\"b\\" failed/);
  const kept = await tools.outcome({
    steps: [{
      name: "g",
      parallel: [{ name: "e", tool: "echo" }, { name: "b", tool: "broken", continue_on_error: true }],
    }, {
      tool: "echo",
      args: { e: "$e", why: "$b.error" },
    }],
  });
  assert.deepEqual(kept.output, { e: {}, why: "broken" });
});

Deno.test("a group can run for each item", async () => {
  const tools = new TestTools({ echo });
  const { output } = await tools.outcome({
    steps: [{
      name: "g",
      for_each: "$input.list",
      parallel: [{ name: "a", tool: "echo", args: { x: "$item" } }, {
        name: "b",
        tool: "echo",
        args: { i: "$index" },
      }],
    }],
    output: "$g[1].a.x",
  }, { list: ["p", "q"] });
  assert.equal(output, "q");
});

Deno.test("a run makes at most 10,000 calls", async () => {
  const tools = new TestTools({ echo });
  const list = Array.from({ length: 1000 }, (_, i) => i);
  const { error } = await tools.outcome({
    steps: [{ for_each: "$input.list", parallel: Array.from({ length: 11 }, () => ({ tool: "echo" })) }],
  }, { list });
  assert.match(error ?? "", /has made 10000 calls/);
  assert.equal(tools.calls.length, 10_000);
});
