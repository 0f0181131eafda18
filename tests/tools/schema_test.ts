import assert from "node:assert/strict";
import { parseManifest } from "../../src/tools/manifest.ts";
import { normaliseInputSchema, normaliseOutputSchema } from "../../src/tools/schema.ts";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";

const ANY = { type: "object", properties: {} };

const MENDED: [what: string, given: JsonValue | undefined, wanted: JsonObject][] = [
  ["absent", undefined, ANY],
  ["null", null, ANY],
  ["true", true, ANY],
  ["{}", {}, ANY],
  ["a JSON string", "{}", ANY],
  ["a JSON string that holds true", "true", ANY],
  ["an empty type", { type: "" }, ANY],
  ["a type of null", { type: null }, ANY],
  ["only words", { title: "T", description: "D" }, ANY],
  ["no type but properties", { properties: { a: {} } }, { type: "object", properties: { a: {} } }],
  ["type among others", { type: ["object", "null"] }, ANY],
  ["no properties", { type: "object", required: ["a"] }, { type: "object", required: ["a"], properties: {} }],
  ["an empty type inside", { properties: { a: { type: "", minLength: 1 } } }, {
    type: "object",
    properties: { a: { minLength: 1 } },
  }],
  ["a choice of objects", { oneOf: [{ type: "object" }, { type: "string" }] }, {
    type: "object",
    oneOf: [{ type: "object" }, { type: "string" }],
    properties: {},
  }],
  ["a reference to an object", { $ref: "#/$defs/a", $defs: { a: { type: "object" } } }, {
    type: "object",
    $ref: "#/$defs/a",
    $defs: { a: { type: "object" } },
    properties: {},
  }],
  ["needless escapes", { properties: { a: { pattern: "^\\d{3}\\-\\d{4}\\@\\\\-$" } } }, {
    type: "object",
    properties: { a: { pattern: "^\\d{3}\\x2d\\d{4}\\x40\\\\-$" } },
  }],
  ["a dialect that is known", {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {},
  }, {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...ANY,
  }],
  ["draft-07", { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties: {} }, {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...ANY,
  }],
  ["a dialect that nobody knows", { $schema: "https://example.com/mine", ...ANY }, ANY],
  ["an identity", { $id: "https://example.com/a", ...ANY }, ANY],
  ["asynchronous validation", { $async: true, ...ANY }, ANY],
];

for (const [what, given, wanted] of MENDED) {
  Deno.test(`B34 normaliseInputSchema() makes an object of ${what}`, () => {
    assert.deepEqual(normaliseInputSchema(given), { schema: wanted });
  });
}

/** A schema that goes down that many levels. */
function deep(levels: number): JsonObject {
  let schema: JsonObject = { type: "object" };
  for (let level = 0; level < levels; level++) schema = { type: "object", properties: { a: schema } };
  return schema;
}

const REFUSED: [given: JsonValue, why: RegExp][] = [
  [false, /false, which allows nothing/],
  [5, /is number, must be a JSON Schema/],
  [[], /is array, must be a JSON Schema/],
  ["nonsense", /string that holds no JSON/],
  [{ type: "string" }, /type is "string", must be "object"/],
  [{ type: ["string", "null"] }, /type is \["string","null"\]/],
  [{ type: "Object" }, /schema\.type is "Object", must be one of/],
  [{ type: [] }, /schema\.type/],
  [{ oneOf: [{ type: "string" }, { type: "array" }] }, /oneOf allows no object/],
  [{ anyOf: [{ enum: ["a"] }, { const: 1 }] }, /anyOf allows no object/],
  [{ allOf: [{ type: "object" }, { type: "string" }] }, /allOf allows no object/],
  [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, /\$ref leads to something that is no object/],
  [{ $ref: "#/$defs/gone" }, /nothing at that place/],
  [{ $ref: "https://example.com/schema.json" }, /leads out of the schema/],
  [{ properties: { a: { $ref: "other.json#/a" } } }, /properties\.a\.\$ref leads out/],
  [{ properties: [] }, /schema\.properties is array, must be an object/],
  [{ properties: { a: "string" } }, /schema\.properties\.a is string, must be a schema/],
  [{ properties: { a: { type: "text" } } }, /schema\.properties\.a\.type is "text"/],
  [{ properties: { a: { type: "string", required: true } } }, /properties\.a\.required is boolean/],
  [{ properties: { a: { enum: [] } } }, /properties\.a\.enum/],
  [{ properties: { a: { pattern: "(" } } }, /properties\.a\.pattern is no regular expression/],
  [{ properties: { a: { items: [5] } } }, /items\[0\] is number/],
  [{ oneOf: {} }, /schema\.oneOf is object, must be a list/],
  [deep(100), /deeper than 64 levels/],
  [{ properties: { a: { description: "x".repeat(300_000) } } }, /larger than/],
  [JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), /__proto__/],
  [JSON.parse('{"__proto__":{"type":"string"}}'), /__proto__/],
];

for (const [given, why] of REFUSED) {
  Deno.test(`B34 normaliseInputSchema() refuses ${JSON.stringify(given).slice(0, 80)} with the reason`, () => {
    const { fault } = normaliseInputSchema(given);
    assert.match(fault ?? "", why);
  });
}

Deno.test("B34 normaliseOutputSchema() leaves out what allows everything, and keeps objects", () => {
  for (const given of [undefined, null, true, {}, "{}", { type: "" }, { description: "D" }]) {
    assert.deepEqual(normaliseOutputSchema(given), { schema: undefined });
  }
  assert.deepEqual(normaliseOutputSchema({ required: ["a"] }), {
    schema: { type: "object", required: ["a"] },
  });
  assert.match(normaliseOutputSchema({ type: "array", items: {} }).fault ?? "", /type is "array"/);
});

Deno.test("normaliseInputSchema() changes nothing of what it was given, nor of schemas that are fine", () => {
  const given = {
    type: "object",
    properties: { type: { type: "string", enum: ["a", "b"] }, required: { type: "boolean" } },
    required: ["type"],
    additionalProperties: false,
    $defs: {
      tree: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/tree" } } } },
    },
    dependentSchemas: { type: { required: ["required"] } },
    examples: [{ type: "a" }],
  };
  const before = structuredClone(given);
  assert.deepEqual(normaliseInputSchema(given), { schema: before });
  assert.deepEqual(given, before);
});

Deno.test("parseManifest() takes the mended schemas", () => {
  const manifest = parseManifest({
    name: "x",
    description: "d",
    tool_type: "knowledge",
    input_schema: "{}",
    output_schema: true,
  });
  assert.deepEqual(manifest.input_schema, ANY);
  assert.equal(manifest.output_schema, undefined);
});

Deno.test("B34 a strict client takes a list with every schema that was let through", async () => {
  const { ListToolsResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const tools = MENDED.map(([, given], index) => ({
    name: `t${index}`,
    inputSchema: normaliseInputSchema(given).schema,
    outputSchema: normaliseOutputSchema(given).schema,
  }));
  assert.deepEqual(ListToolsResultSchema.parse({ tools }).tools.length, MENDED.length);
  // The same client drops the whole list for one of those that are refused.
  const refused = { name: "bad", inputSchema: { type: "string" } };
  assert.ok(!ListToolsResultSchema.safeParse({ tools: [...tools, refused] }).success);
});
