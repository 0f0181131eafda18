import assert from "node:assert/strict";
import type { ProgressUpdate } from "../../../src/run/call_context.ts";
import { okResult } from "../../../src/base/tool_result.ts";
import { deriveAnnotations } from "../../../src/run/pipeline/derive_annotations.ts";
import { echo, testContext, type TestTool, TestTools } from "./_tools.ts";

Deno.test("a pipeline is a step of another; its data is {success, output, steps}", async () => {
  const tools = new TestTools({ echo }, {
    inner: { steps: [{ tool: "echo", args: { doubled: "$input.word$input.word" } }] },
  });
  const { output } = await tools.outcome(
    { steps: [{ name: "sub", tool: "inner", args: { word: "$input.w" } }], output: "$sub.output.doubled" },
    { w: "ho" },
  );
  assert.equal(output, "hoho");
  assert.deepEqual(tools.calls.map(({ ctx }) => [ctx.depth, ctx.chain]), [[1, ["p"]], [2, ["p", "inner"]]]);
});

Deno.test("B51 circles that could not be seen beforehand end at the guard, five honest levels work", async () => {
  const call = (to: string): TestTool => ({
    run: (_, ctx) =>
      tools.callTool(to, {}, { ...ctx, depth: ctx.depth + 1, chain: [...ctx.chain, "hidden"] }),
  });
  const tools: TestTools = new TestTools({ echo, hidden: call("round") }, {
    round: { steps: [{ tool: "hidden" }] },
    l1: { steps: [{ tool: "echo", args: { deep: true } }] },
    l2: { steps: [{ tool: "l1" }], output: "$step1.output" },
    l3: { steps: [{ tool: "l2" }], output: "$step1.output" },
    l4: { steps: [{ tool: "l3" }], output: "$step1.output" },
  });
  const { error } = await tools.outcome({ steps: [{ tool: "round" }] });
  assert.match(error ?? "", /cycle is p → round → hidden → round/);
  assert.ok(tools.calls.length < 5);
  assert.deepEqual((await tools.outcome({ steps: [{ tool: "l4" }], output: "$step1.output" })).output, {
    deep: true,
  });
});

Deno.test("progress rises with each step and carries what steps say", async () => {
  const updates: ProgressUpdate[] = [];
  const says: TestTool = {
    run: (_, ctx) => {
      ctx.caller.progress({ progress: 50, total: 100, message: "half" });
      return okResult("");
    },
  };
  const tools = new TestTools({ echo, says });
  await tools.outcome(
    { steps: [{ name: "one", tool: "echo" }, { name: "two", tool: "says" }] },
    {},
    testContext({ progress: (update) => updates.push(update) }),
  );
  assert.deepEqual(updates.map(({ message }) => message), [
    "Step 1 of 2: one",
    "Step 2 of 2: two",
    "half",
    "All steps are done",
  ]);
  assert.ok(updates.every(({ progress }, i) => i === 0 || progress > (updates[i - 1]?.progress ?? 0)));
  assert.deepEqual(updates.at(-1), { progress: 2, total: 2, message: "All steps are done" });
});

Deno.test("cancelling ends the running steps and begins no other", async () => {
  const controller = new AbortController();
  const ended: string[] = [];
  const hangs: TestTool = {
    run: (args, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ended.push(String(args.n));
          reject(signal.reason);
        });
        if (args.n === 1) controller.abort();
      }),
  };
  const tools = new TestTools({ hangs, echo });
  const { result, error, steps } = await tools.outcome(
    {
      steps: [{ for_each: "$input.list", tool: "hangs", args: { n: "$item" }, continue_on_error: true }, {
        tool: "echo",
      }],
    },
    { list: [0, 1] },
    testContext({ signal: controller.signal }),
  );
  assert.equal(result.isError, true);
  assert.match(error ?? "", /step 1 \(step1\): the call was cancelled/);
  assert.deepEqual(ended.sort(), ["0", "1"]);
  assert.deepEqual(steps.map(({ status }) => status), ["cancelled", "not_run"]);
});

Deno.test("timeout_ms ends a step, with a tool that does not listen too", async () => {
  const signals: AbortSignal[] = [];
  const deaf: TestTool = {
    run: (_, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  };
  const tools = new TestTools({ deaf, echo });
  const { error, steps } = await tools.outcome({
    steps: [{ name: "d", tool: "deaf", timeout_ms: 20, retry: { max: 3 } }],
  });
  assert.match(error ?? "", /finish step "d": it takes longer than the 20 ms/);
  assert.equal(steps[0]?.status, "failed");
  assert.deepEqual(signals.map(({ aborted }) => aborted), [true]);
  const { output } = await tools.outcome({
    steps: [{ name: "d", tool: "deaf", timeout_ms: 20, continue_on_error: true }, {
      tool: "echo",
      args: { why: "$d.error" },
    }],
  });
  assert.match(JSON.stringify(output), /20 ms/);
});

Deno.test("deriveAnnotations() follows the steps, with MCP's defaults for what they do not say", () => {
  const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const tools = new TestTools({
    reads: { ...echo, annotations: hints },
    writes: { ...echo, annotations: { ...hints, readOnlyHint: false, idempotentHint: false } },
    fetches: { ...echo, annotations: { ...hints, openWorldHint: true } },
    destroys: { ...echo, annotations: { ...hints, readOnlyHint: false, destructiveHint: true } },
    says: echo,
  });
  const derive = (...names: string[]) => deriveAnnotations(names.map((tool) => ({ tool })), tools.getTool);
  assert.deepEqual(derive("reads", "reads"), hints);
  assert.deepEqual(derive("reads", "writes"), { ...hints, readOnlyHint: false, idempotentHint: false });
  assert.deepEqual(derive("reads", "fetches"), { ...hints, openWorldHint: true });
  assert.deepEqual(derive("reads", "destroys"), { ...hints, readOnlyHint: false, destructiveHint: true });
  const unknown = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
  assert.deepEqual(derive("says"), unknown);
  assert.deepEqual(derive("gone"), unknown);
  assert.deepEqual(
    deriveAnnotations([{ parallel: [{ tool: "reads" }, { tool: "destroys" }] }], tools.getTool)
      .destructiveHint,
    true,
  );
});
