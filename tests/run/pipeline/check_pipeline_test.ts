import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../src/base/json.ts";
import { checkPipeline } from "../../../src/run/pipeline/check_pipeline.ts";
import { pipelineProblems } from "../../../src/run/pipeline/pipeline_problems.ts";
import type { PipelineStep } from "../../../src/tools/tool.ts";
import { echo, pipelineTool, TestTools } from "./_tools.ts";

const time: JsonObject = {
  type: "object",
  properties: {
    datetime: { type: "string" },
    zones: { type: "array", items: { type: "object", properties: { id: {} } } },
  },
};
const tools = new TestTools({
  clock: {
    ...echo,
    input: { type: "object", properties: { timezone: { type: "string" } }, required: ["timezone"] },
    output: time,
  },
  counter: {
    ...echo,
    input: {
      type: "object",
      properties: { text: { type: "string" }, max: { type: "integer" }, mode: { enum: ["words", "lines"] } },
      additionalProperties: false,
    },
  },
  free: echo,
}, {
  p1: { steps: [{ tool: "p2" }] },
  p2: { steps: [{ parallel: [{ tool: "p1" }] }] },
  honest: { steps: [{ tool: "free" }] },
});

function problems(
  steps: readonly PipelineStep[],
  rest: { name?: string; output?: JsonValue; input_schema?: JsonObject } = {},
): string[] {
  return checkPipeline({ name: "p", steps, ...rest }, tools.getTool);
}

Deno.test("checkPipeline() finds nothing wrong with a right pipeline", () => {
  const steps: PipelineStep[] = [
    { name: "ny", tool: "clock", args: { timezone: "$input.zone" } },
    {
      tool: "free",
      args: { text: "$ny.datetime $prev.datetime", first: "$ny.zones[0].id", blocks: "$ny.content[0]" },
    },
    {
      name: "all",
      for_each: "$ny.zones",
      tool: "clock",
      args: { timezone: "$item.id" },
      condition: "$index > 0",
    },
    { name: "both", parallel: [{ name: "a", tool: "free" }, { name: "b", tool: "honest", args: "$input" }] },
    { tool: "counter", args: { text: "$all[0].datetime $a.x $both.b.output", max: 3, mode: "words" } },
    { tool: "free", condition: "$step2.x && $b.success", args: { price: "$$5" } },
  ];
  assert.deepEqual(
    problems(steps, {
      input_schema: { type: "object", properties: { zone: { type: "string" } } },
      output: { time: "$ny.datetime", last: "$prev" },
    }),
    [],
  );
});

const cases: [what: string, steps: PipelineStep[], wanted: RegExp][] = [
  ["no steps", [], /it has no steps/],
  ["an unknown tool", [{ tool: "nope" }], /^step 1: there is no tool "nope"$/],
  [
    "an unknown step",
    [{ tool: "free", args: { a: "$lodon.x" } }],
    /args\.a: \$lodon\.x refers to a step that does not exist \(known here: \$input\)/,
  ],
  [
    "a later step",
    [{ tool: "free", args: { a: ["$b"] } }, { name: "b", tool: "free" }],
    /args\.a\[0\]: \$b refers to a step that runs later/,
  ],
  ["itself", [{ name: "a", tool: "free", args: { a: "$a.x" } }], /runs later or at the same time/],
  [
    "a sibling",
    [{ parallel: [{ name: "a", tool: "free" }, { tool: "free", args: { x: "$a" } }] }],
    /at the same time/,
  ],
  ["$prev in the first step", [{ tool: "free", args: { a: "$prev" } }], /there is none/],
  ["$item without for_each", [{ tool: "free", args: { a: "$item" } }], /only in a step with for_each/],
  [
    "a name twice",
    [{ name: "a", tool: "free" }, { name: "a", tool: "free" }],
    /step 2 \(a\): its name "a" is taken/,
  ],
  [
    "a default name that is taken",
    [{ name: "step2", tool: "free" }, { tool: "free" }],
    /default name "step2" is taken/,
  ],
  ["a reserved name", [{ name: "input", tool: "free" }], /"input" has a meaning/],
  ["an odd name", [{ name: "a b", tool: "free" }], /letters, digits/],
  ["a bad condition", [{ tool: "free", condition: "$input.a = 1" }], /step 1: condition: .*at character 10/],
  [
    "an unknown step in a condition",
    [{ tool: "free", condition: "$x > 1" }],
    /condition: \$x refers to a step that does not/,
  ],
  ["a for_each that is no reference", [{ tool: "free", for_each: "1,2" }], /for_each must be one reference/],
  ["a field that is not answered", [{ name: "ny", tool: "clock", args: { timezone: "x" } }, {
    tool: "free",
    args: { a: "$ny.date" },
  }], /\$ny\.date leads nowhere: \$ny has no "date" \(it has datetime, zones\)/],
  ["a field of a text", [{ name: "ny", tool: "clock", args: { timezone: "x" } }, {
    tool: "free",
    condition: "$ny.datetime.hour",
  }], /is of type string there/],
  ["a field of a list", [{ name: "ny", tool: "clock", args: { timezone: "x" } }, {
    tool: "free",
    args: { a: "$ny.zones.id" },
  }], /is a list there/],
  ["missing arguments", [{ tool: "clock" }], /args lacks "timezone", which is required/],
  [
    "unknown arguments",
    [{ tool: "counter", args: { txt: "a" } }],
    /args has "txt", which is not known \(known: text, max, mode\)/,
  ],
  [
    "arguments of a wrong type",
    [{ tool: "counter", args: { text: 5 } }],
    /args\.text is a number, string is needed/,
  ],
  [
    "a text where a number is needed",
    [{ tool: "counter", args: { max: "a $input.x" } }],
    /args\.max is a string, integer is needed/,
  ],
  [
    "a fraction where an integer is needed",
    [{ tool: "counter", args: { max: 1.5 } }],
    /args\.max is a number/,
  ],
  ["a value that is no choice", [{ tool: "counter", args: { mode: "x" } }], /one of "words", "lines"/],
  ["arguments that are no object", [{ tool: "free", args: [1] }], /args is array/],
  ["null as arguments", [{ tool: "free", args: null }], /args is null/],
  ["neither tool nor parallel", [{ name: "a" }], /neither tool nor parallel/],
  ["both tool and parallel", [{ tool: "free", parallel: [{ tool: "free" }] }], /only one of them/],
  ["itself as a step (B51)", [{ tool: "p" }], /call itself without end: p → p/],
  ["a circle of others (B51)", [{ tool: "p1" }], /p1 → p2 → p1/],
  ["braces without a reference", [{ tool: "free", args: { a: "x ${}" } }], /args\.a: .*character 3/],
  [
    "a word of JavaScript",
    [{ tool: "free", args: { a: "$constructor", b: "$__proto__.x" } }],
    /\$constructor refers to a step that does not exist/,
  ],
];

for (const [what, steps, wanted] of cases) {
  Deno.test(`checkPipeline() refuses ${what}`, () => {
    const found = problems(steps);
    assert.ok(found.some((problem) => wanted.test(problem)), `${wanted} is not in ${JSON.stringify(found)}`);
  });
}

Deno.test("checkPipeline() lists all problems at once, and each where it is", () => {
  const found = problems([
    { name: "a", tool: "nope", args: { x: "$gone" } },
    { name: "a", tool: "clock", args: { timezone: 5 }, condition: "(" },
  ], { output: "$later" });
  assert.equal(found.length, 6, found.join("\n"));
  assert.equal(found.filter((problem) => problem.startsWith("step 1 (a): ")).length, 2);
  assert.equal(found.filter((problem) => problem.startsWith("step 2 (a): ")).length, 3);
  assert.match(found.at(-1) ?? "", /^output: \$later/);
});

Deno.test("checkPipeline() holds $input against the input schema, when that names properties", () => {
  const steps: PipelineStep[] = [{ tool: "free", args: { a: "$input.ctiy" } }];
  assert.deepEqual(problems(steps, { input_schema: { type: "object", properties: {} } }), []);
  const declared: JsonObject = { type: "object", properties: { city: { type: "string" } } };
  assert.match(problems(steps, { input_schema: declared })[0] ?? "", /\$input has no "ctiy" \(it has city\)/);
  assert.deepEqual(problems(steps, { input_schema: { ...declared, additionalProperties: true } }), []);
});

Deno.test("B51 checkPipeline() finds the circle that a new pipeline closes over an old one", () => {
  assert.match(problems([{ tool: "p1" }], { name: "p2" }).join(), /p2 → p1 → p2/);
  assert.deepEqual(problems([{ tool: "honest" }, { tool: "honest" }]), []);
});

Deno.test("pipelineProblems() tells when a tool that a pipeline uses is gone or changed", () => {
  const tool = pipelineTool("p", {
    steps: [{ name: "ny", tool: "clock", args: { timezone: "x" } }, {
      tool: "free",
      args: { a: "$ny.datetime" },
    }],
  });
  assert.deepEqual(pipelineProblems(tool, tools.getTool), []);
  assert.deepEqual(
    pipelineProblems(tool, (name) => name === "clock" ? undefined : tools.getTool(name)),
    ['step 1 (ny): there is no tool "clock"'],
  );
  const changed = { input_schema: {}, output_schema: { type: "object", properties: { now: {} } } };
  assert.match(
    pipelineProblems(tool, (name) => name === "clock" ? changed : tools.getTool(name)).join(),
    /\$ny\.datetime leads nowhere/,
  );
});
