import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { resultText } from "../../../src/base/tool_result.ts";
import { testApp } from "../../support/test_app.ts";

const MIB = 1024 * 1024;
const script = { name: "big", description: "d", interpreter: "bash" };
const huge = "x".repeat(MIB);

/** What is too large to be made a tool, and which part the answer names. */
const CASES: readonly [tool: string, args: JsonObject, expected: RegExp][] = [
  [
    "register_script",
    { ...script, code: `#${huge}` },
    /code: has 1048577 characters, must have at most 1048576/,
  ],
  ["build_tool", { name: "big", description: "d", code: `//${huge}` }, /code: has 1048578 characters/],
  ["execute_code", { code: `//${huge}` }, /code: has 1048578 characters/],
  [
    "register_script",
    { ...script, code: ":", description: "d".repeat(20_001) },
    /description: must have <=20000/,
  ],
  ["register_script", { ...script, code: ":", title: "t".repeat(201) }, /title: must have <=200 characters/],
  [
    "register_script",
    { ...script, code: ":", input_schema: { type: "object", description: "d".repeat(300_000) } },
    /input_schema: it is larger than 262144 characters/,
  ],
  [
    "register_script",
    { ...script, code: ":", examples: [{ arguments: { a: huge } }] },
    /its manifest\.json would have \d+ bytes, most of them \(\d+\) in examples, at most 1048576 are taken/,
  ],
  [
    "pipeline",
    {
      action: "create",
      name: "big",
      description: "d",
      steps: [{ tool: "list_tools", args: { query: huge } }],
    },
    /most of them \(\d+\) in pipeline_steps/,
  ],
];

Deno.test("what is too large is refused with the part named, and nothing is made", async (t) => {
  await using app = await testApp();
  for (const [tool, args, expected] of CASES) {
    await t.step(`${tool}: ${expected.source}`, async () => {
      const result = await app.call(tool, args);
      assert.equal(result.isError, true);
      assert.match(resultText(result), expected);
      assert.ok(resultText(result).length < 2000);
      assert.deepEqual(app.app.store.list(), []);
    });
  }
  await t.step("what just fits is taken", async () => {
    const code = "echo fine #".padEnd(MIB, "x");
    const made = await app.call("register_script", { ...script, code, description: "d".repeat(20_000) });
    assert.ok(!made.isError, resultText(made));
    assert.equal(resultText(await app.call("call_tool", { tool_name: "big" })), "fine");
  });
});
