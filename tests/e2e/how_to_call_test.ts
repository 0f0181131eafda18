import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";

// What a tool that makes tools says about the new one holds: the call in its text works as it is written.

const text = { type: "string" };
const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  none: { type: "object", properties: {} },
  texts: { type: "object", properties: { a: text, b: { ...text, minLength: 5 } }, required: ["a", "b"] },
  numbers: {
    type: "object",
    properties: {
      a: { type: "integer", minimum: 10, multipleOf: 4 },
      b: { type: "number", exclusiveMinimum: 0, maximum: 0.5 },
      c: { type: "number", maximum: -3 },
    },
    required: ["a", "b", "c"],
  },
  choices: {
    type: "object",
    properties: {
      a: { enum: ["x", "y"] },
      b: { const: 7 },
      c: { type: ["boolean", "null"] },
      d: { anyOf: [{ type: "array", items: text, minItems: 2 }, { type: "null" }] },
      e: { type: "integer", default: 3 },
    },
    required: ["a", "b", "c", "d", "e"],
  },
  formats: {
    type: "object",
    properties: {
      a: { ...text, format: "date" },
      b: { ...text, format: "email" },
      c: { ...text, format: "uri" },
    },
    required: ["a", "b", "c"],
  },
  nested: {
    type: "object",
    properties: { place: { $ref: "#/$defs/place" } },
    required: ["place"],
    $defs: {
      place: {
        type: "object",
        properties: { lat: { type: "number" }, inner: { $ref: "#/$defs/leaf" } },
        required: ["lat", "inner"],
      },
      leaf: { type: "object", properties: { name: text }, required: ["name"] },
    },
  },
  undescribed: { type: "object", required: ["anything"] },
};

Deno.test({
  name: "the call that register_script tells works exactly as it is written",
  ignore: needs("bash"),
  async fn(t) {
    await using server = await startServer();
    const make = (name: string, more: JsonObject) =>
      server.call("register_script", {
        name,
        description: "d",
        interpreter: "bash",
        code: "read -r l; echo fine",
        ...more,
      });
    for (const [name, input_schema] of Object.entries(SCHEMAS)) {
      await t.step(`for a schema of ${name}`, async () => {
        const made = await make(name, { input_schema });
        const told = /Call it now: (\w+) (\{.*\})\. activate_skill/.exec(resultText(made));
        assert.ok(told?.[1] && told[2], resultText(made));
        const called = await server.call(told[1], JSON.parse(told[2]));
        assert.equal(resultText(called), "fine");
        assert.deepEqual((made.structuredContent?.call as JsonObject).arguments, JSON.parse(told[2]));
      });
    }
    await t.step("and where none can be made up, none is told", async () => {
      const made = await make("pattern", {
        input_schema: {
          type: "object",
          properties: { id: { type: "string", pattern: "^[A-Z]{3}-[0-9]{4}$" } },
          required: ["id"],
        },
      });
      assert.match(resultText(made), /arguments that fit its input_schema/);
      assert.deepEqual((made.structuredContent?.call as JsonObject).arguments, { tool_name: "pattern" });
    });
    await t.step("the same of a pipeline, whose input is what its steps refer to", async () => {
      const made = await server.call("pipeline", {
        action: "create",
        name: "chain",
        description: "d",
        steps: [{ tool: "texts", args: { a: "$input.first", b: "$input.second" } }],
      });
      const [, told = "{}"] = /Call it now: call_tool (\{.*\})\. activate_skill/.exec(resultText(made)) ?? [];
      assert.deepEqual(Object.keys(JSON.parse(told).arguments), ["first", "second"]);
      assert.equal((await server.call("call_tool", JSON.parse(told))).isError ?? false, false);
    });
    await t.step("and where its program is missing, that is told", async () => {
      const made = await make("cobol", { interpreter: "no-such-cobol -x" });
      assert.match(
        resultText(made),
        /can't be called on this machine yet: there is no program "no-such-cobol"/,
      );
      assert.doesNotMatch(resultText(made), /Call it now/);
      const called = await server.call("call_tool", { tool_name: "cobol" });
      assert.match(resultText(called), /no-such-cobol.*not on PATH/);
    });
    await t.step("an example that works is taken, not one of a failure", async () => {
      const made = await make("examples", {
        input_schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
        examples: [
          { arguments: { n: "no" }, expect: { error: "n must be integer" } },
          { arguments: { n: 42 }, expect: { text: "fine" } },
        ],
      });
      assert.match(resultText(made), /"arguments": \{"n":42\}\}\./);
    });
  },
});

Deno.test({
  name: "a Python tool may have the name of a module that it needs",
  ignore: needs("python3"),
  async fn(t) {
    await using server = await startServer();
    const code = "from skillz import tool\nimport json, random, email, calendar\n\n" +
      "@tool\ndef main() -> dict:\n    return {'json': json.loads('[1]'), 'day': calendar.isleap(2024)}\n";
    for (const name of ["json", "random", "email", "calendar", "skillz", "types", "weather"]) {
      await t.step(name, async () => {
        await server.text("register_script", { name, description: "d", interpreter: "python3", code });
        const result = await server.call("call_tool", { tool_name: name });
        assert.deepEqual(result.structuredContent, { json: [1], day: true }, resultText(result));
      });
    }
  },
});
