import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { deriveInputSchema } from "../../../src/run/pipeline/derive_input_schema.ts";
import type { KnownTool } from "../../../src/run/pipeline/known_tool.ts";
import type { PipelineStep } from "../../../src/tools/tool.ts";

const city = { type: "string", minLength: 1, description: "Name of a city" };
const TOOLS: Readonly<Record<string, KnownTool>> = {
  weather: {
    input_schema: { type: "object", properties: { city, days: { type: "integer" } }, required: ["city"] },
  },
  other: {
    input_schema: {
      type: "object",
      properties: { city: { type: "array" }, place: { $ref: "#/$defs/place" } },
      required: ["place"],
      $defs: { place: { type: "object" } },
    },
  },
};

const CASES: readonly [what: string, steps: PipelineStep[], schema: JsonObject, output?: string][] = [
  ["nothing", [{ tool: "weather", args: { city: "Oslo" } }], { properties: {} }],
  [
    "fields that are handed on, with the tool's own schema",
    [{ tool: "weather", args: { city: "$input.city", days: "$input.n" } }],
    { properties: { city, n: { type: "integer" } }, required: ["city"] },
  ],
  [
    "fields in texts, deeper in arguments, in conditions and in the output",
    [{ tool: "weather", args: { city: "in $input.a, ${input.b.c}", days: [{ x: "$input.d" }] } }, {
      tool: "weather",
      args: { city: "x" },
      condition: "$input.e > 3",
    }],
    { properties: { a: {}, b: {}, d: {}, e: {}, f: {} } },
    "$input.f",
  ],
  [
    "a list that is gone through",
    [{ tool: "weather", for_each: "$input.cities", args: { city: "$item" } }],
    { properties: { cities: { type: "array" } }, required: ["cities"] },
  ],
  [
    "no duty where a step may be skipped or may fail",
    [
      { tool: "weather", condition: "$input.city", args: { city: "$input.city" } },
      { tool: "weather", continue_on_error: true, args: { city: "$input.town" } },
    ],
    { properties: { city, town: city } },
  ],
  [
    "anything where tools do not agree, and where a schema leads elsewhere",
    [{
      parallel: [{ tool: "weather", args: { city: "$input.city" } }, {
        tool: "other",
        args: { city: "$input.city", place: "$input.place" },
      }],
    }],
    { properties: { city: {}, place: {} }, required: ["city", "place"] },
  ],
  ["nothing of the whole input, of steps, of dollars", [{
    name: "a",
    tool: "weather",
    args: { city: "$$input.x", days: "$input" },
  }, { tool: "weather", args: { city: "$a.city" } }], { properties: {} }],
];

for (const [what, steps, schema, output] of CASES) {
  Deno.test(`deriveInputSchema() finds ${what}`, () => {
    const derived = deriveInputSchema(
      { steps, ...(output === undefined ? {} : { output }) },
      (name) => TOOLS[name],
    );
    assert.deepEqual(derived, { type: "object", ...schema });
  });
}
