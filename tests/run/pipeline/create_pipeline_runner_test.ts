import assert from "node:assert/strict";
import { SkillzError } from "../../../src/base/errors.ts";
import { okResult, resultText, textBlock } from "../../../src/base/tool_result.ts";
import { createPipelineRunner } from "../../../src/run/pipeline/create_pipeline_runner.ts";
import { echo, fails, pipelineTool, says, testContext, TestTools } from "./_tools.ts";

/** Answers as the time server of MCP's examples: JSON in a text block, no structured content. */
const clock = {
  run: (args: { timezone?: unknown }) => ({
    content: [
      textBlock(
        JSON.stringify({ timezone: args.timezone, datetime: `time of ${args.timezone}`, is_dst: false }),
      ),
    ],
  }),
};
const counter = {
  run: (args: { text?: unknown }) => okResult("", { words: String(args.text).split(/\s+/).length }),
};

Deno.test("a pipeline with references inside text works as written", async () => {
  const tools = new TestTools({ time_get_current_time: clock, word_counter: counter });
  const tool = pipelineTool("times", {
    steps: [
      { name: "ny", tool: "time_get_current_time", args: { timezone: "America/New_York" } },
      { name: "london", tool: "time_get_current_time", args: { timezone: "Europe/London" } },
      { tool: "word_counter", args: { text: "NY: $ny.datetime, London: $london.datetime" } },
    ],
  });
  const result = await tools.run(tool);
  assert.equal(
    tools.calls[2]?.args.text,
    "NY: time of America/New_York, London: time of Europe/London",
  );
  assert.equal(result.isError, undefined);
  assert.deepEqual(result.structuredContent?.output, { words: 8 });
  assert.equal(result.structuredContent?.success, true);
  const text = resultText(result);
  assert.match(
    text,
    /^Pipeline "times": 3 steps in \d+ ms\n1\. ny \(time_get_current_time\): ok in \d+ ms\n {3}\{"timezone":"America/,
  );
  assert.match(text, /\n3\. step3 \(word_counter\): ok in \d+ ms\nOutput:\n\{"words":8\}$/);
});

Deno.test("B14 a step without args calls its tool with an empty object", async () => {
  const tools = new TestTools({ echo });
  await tools.outcome({ steps: [{ tool: "echo" }, { tool: "echo", args: "$input.none" }] });
  assert.deepEqual(tools.calls.map((call) => call.args), [{}, {}]);
});

Deno.test("a value keeps its type through a whole reference", async () => {
  const tools = new TestTools({ echo });
  const input = { n: 1.5, list: [1, { a: null }], yes: false, text: "5" };
  const { output } = await tools.outcome(
    {
      steps: [{ tool: "echo", args: { all: "$input", n: "$input.n", deep: ["$input.list[1]"] } }, {
        tool: "echo",
        args: "$prev",
      }],
    },
    input,
  );
  assert.deepEqual(output, { all: input, n: 1.5, deep: [{ a: null }] });
});

Deno.test("a step's value is its data, else its text as JSON, else its text; blocks are behind .content", async () => {
  const tools = new TestTools({
    echo,
    data: { run: () => okResult("text", { from: "data" }) },
    json: says('{"from": ["json"]}'),
    number: says("42"),
    big: says("9007199254740993"),
    text: says("plain {"),
    image: {
      run: () => ({ content: [textBlock("t"), { type: "image", data: "AA==", mimeType: "image/png" }] }),
    },
  });
  const { output } = await tools.outcome({
    steps: ["data", "json", "number", "big", "text", "image"].map((tool) => ({ name: tool, tool })),
    output: {
      data: "$data.from",
      json: "$json.from[0]",
      number: "$number",
      big: "$big",
      text: "$text",
      type: "$image.content[1].mimeType",
      block: "$data.content[0].text",
    },
  });
  assert.deepEqual(output, {
    data: "data",
    json: "json",
    number: 42,
    big: "9007199254740993",
    text: "plain {",
    type: "image/png",
    block: "text",
  });
});

Deno.test("images of the last step are passed on", async () => {
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const tools = new TestTools({ image: { run: () => ({ content: [textBlock("t"), image] }) }, echo });
  const { result } = await tools.outcome({ steps: [{ tool: "echo" }, { tool: "image" }] });
  assert.deepEqual(result.content[1], image);
  const other = await tools.outcome({ steps: [{ tool: "image" }, { tool: "echo" }] });
  assert.equal(other.result.content.length, 1);
});

Deno.test("a failed step ends the run and tells which, why, and what ran already", async () => {
  const tools = new TestTools({ echo, broken: fails("the disk is full") });
  const { result, error, output, steps } = await tools.outcome({
    steps: [{ name: "one", tool: "echo", args: { a: 1 } }, { name: "two", tool: "broken" }, {
      name: "three",
      tool: "echo",
    }],
  });
  assert.equal(result.isError, true);
  assert.equal(output, null);
  assert.equal(error, "step 2 (two): the disk is full");
  assert.deepEqual(steps.map(({ status }) => status), ["ok", "failed", "not_run"]);
  assert.deepEqual(steps[0]?.output, { a: 1 });
  assert.equal(tools.calls.length, 2);
  const text = resultText(result);
  assert.match(
    text,
    /failed at step 2 \(two\): the disk is full\n1\. one \(echo\): ok.*\n {3}\{"a":1\}\n2\. two/,
  );
  assert.match(text, /3\. three \(echo\): not run$/);
});

Deno.test("a tool that throws, and one that fails without a word, are failed steps", async () => {
  const tools = new TestTools({
    throws: {
      run: () => Promise.reject(new SkillzError("not_found", "Cannot call it: it is gone", { hint: "Look" })),
    },
    odd: { run: () => Promise.reject("not an error") },
    mute: { run: () => ({ content: [], isError: true }) },
  });
  assert.match((await tools.outcome({ steps: [{ tool: "throws" }] })).error ?? "", /it is gone\. Look$/);
  assert.match((await tools.outcome({ steps: [{ tool: "odd" }] })).error ?? "", /not an error$/);
  assert.match(
    (await tools.outcome({ steps: [{ tool: "mute" }] })).error ?? "",
    /"mute" failed without saying why/,
  );
});

Deno.test("continue_on_error goes on, and later steps see the error", async () => {
  const tools = new TestTools({
    echo,
    broken: { run: () => ({ ...okResult("no luck", { code: 7 }), isError: true }) },
  });
  const { output, steps, result } = await tools.outcome({
    steps: [
      { name: "try", tool: "broken", continue_on_error: true },
      {
        name: "instead",
        tool: "echo",
        args: { why: "$try.error", code: "$try.code" },
        condition: "$try.error",
      },
      { tool: "echo", args: { not: "reached" }, condition: "!$try.error" },
    ],
  });
  assert.equal(result.isError, undefined);
  assert.deepEqual(output, { why: "no luck", code: 7 });
  assert.deepEqual(steps.map(({ status }) => status), ["failed", "ok", "skipped"]);
});

Deno.test("a field that is not answered fails the step and names those that are", async () => {
  const tools = new TestTools({ echo });
  const steps = [{ name: "a", tool: "echo", args: { x: 1 } }, { tool: "echo", args: { y: "$a.z" } }];
  assert.match(
    (await tools.outcome({ steps })).error ?? "",
    /Cannot resolve \$a\.z: there is no "z", it has x/,
  );
  const { error } = await tools.outcome({ steps: steps.slice(0, 1), output: "$a.z" });
  assert.match(error ?? "", /^output: Cannot resolve \$a\.z/);
});

Deno.test("a step that was skipped leaves $prev as it was, and its own value absent", async () => {
  const tools = new TestTools({ echo });
  const { output } = await tools.outcome({
    steps: [
      { tool: "echo", args: { n: 1 } },
      { name: "maybe", tool: "echo", args: { n: 2 }, condition: "$input.again" },
      { tool: "echo", args: { prev: "$prev.n", maybe: "$maybe.n", text: "<$maybe>" } },
    ],
  });
  assert.deepEqual(output, { prev: 1, text: "<>" });
});

Deno.test("a broken pipeline runs nothing and lists what is wrong", async () => {
  const tools = new TestTools({ echo });
  const { result, error } = await tools.outcome({
    steps: [{ tool: "echo" }, { tool: "gone", condition: "(" }],
  });
  assert.equal(result.isError, true);
  assert.match(
    error ?? "",
    /is broken, nothing was run\n- step 2: condition.*\n- step 2: there is no tool "gone"/,
  );
  assert.deepEqual(tools.calls, []);
});

Deno.test("a pipeline has no prompts or resources", async () => {
  await using runner = createPipelineRunner(new TestTools({}));
  await assert.rejects(
    runner.run(pipelineTool("p", { steps: [] }), { kind: "prompt", name: "x", arguments: {} }, testContext()),
    /Cannot ask pipeline "p" for a prompt/,
  );
});
