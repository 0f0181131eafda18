import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import { normaliseInputSchema } from "../../src/tools/schema.ts";
import { createValidator } from "../../src/tools/validator.ts";

const validator = createValidator();

async function problems(schema: JsonObject, value: unknown): Promise<string[]> {
  return await validator.problems(schema, value);
}

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    city: { type: "string", minLength: 2 },
    count: { type: ["integer", "null"] },
    unit: { enum: ["C", "F"] },
    list: {
      type: "array",
      items: { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
    },
    day: { type: "string", format: "date" },
    one: { const: 1 },
  },
  required: ["city"],
  additionalProperties: false,
};

const WRONG: [value: JsonValue, texts: string[]][] = [
  [{}, ["city is missing"]],
  [{ city: 5 }, ["city must be string, is number"]],
  [{ city: null }, ["city must be string, is null"]],
  [{ city: "x" }, ["city must NOT have fewer than 2 characters"]],
  [{ city: "ok", count: "secret" }, ["count must be integer or null, is string"]],
  [{ city: "ok", unit: "secret" }, ['unit must be one of "C", "F"']],
  [{ city: "ok", one: 2 }, ["one must be 1"]],
  [{ city: "ok", citty: 1 }, ["citty is not a known field"]],
  [{ city: "ok", list: [{ id: 1 }, { id: "secret" }, {}] }, [
    "list[1].id must be number, is string",
    "list[2].id is missing",
  ]],
  [{ city: "ok", day: "2025-02-30" }, ['day must match format "date"']],
  [[], ["the value must be object, is array"]],
  ["secret", ["the value must be object, is string"]],
];

for (const [value, texts] of WRONG) {
  Deno.test(`problems() names path, wanted and given type for ${JSON.stringify(value)}`, async () => {
    assert.deepEqual(await problems(SCHEMA, value), texts);
  });
}

Deno.test("problems() is empty for what fits", async () => {
  assert.deepEqual(
    await problems(SCHEMA, { city: "Bern", count: null, unit: "C", list: [{ id: 1.5, more: 1 }] }),
    [],
  );
});

Deno.test("problems() never shows a value, and tells a bounded number", async () => {
  const list = Array.from({ length: 5000 }, () => ({ id: "hunter2" }));
  const texts = await problems(SCHEMA, { city: "hunter2hunter2", list, day: "hunter2", unit: "hunter2" });
  assert.ok(texts.length < 12);
  assert.ok(!texts.join().includes("hunter2"));
  assert.match(texts.at(-1) ?? "", /and \d+ more/);
});

Deno.test("problems() checks that it is an object also where a schema asks nothing", async () => {
  const any = { type: "object", properties: {}, title: "T" };
  assert.deepEqual(await problems(any, { a: 1 }), []);
  for (const [value, given] of [[null, "null"], [[], "array"], ["x", "string"], [undefined, "undefined"]]) {
    assert.deepEqual(await problems(any, value), [`must be object, is ${given}`]);
  }
});

Deno.test("problems() refuses __proto__ at any depth, and lets words through that only look alike", async () => {
  for (const text of ['{"__proto__":{"a":1}}', '{"a":[{"b":{"__proto__":1}}]}']) {
    assert.deepEqual(await problems({ type: "object" }, JSON.parse(text)), [
      "holds the key __proto__, which is not let through",
    ]);
  }
  assert.deepEqual(
    await problems({ type: "object" }, { constructor: 1, prototype: { proto: 2 }, toString: 3 }),
    [],
  );
});

Deno.test("problems() does not take what objects inherit for given", async () => {
  const schema = {
    type: "object",
    properties: { toString: { type: "string" } },
    required: ["toString", "constructor"],
  };
  assert.deepEqual(await problems(schema, {}), ["toString is missing", "constructor is missing"]);
  assert.deepEqual(await problems(schema, { toString: "a", constructor: "b" }), []);
});

Deno.test("problems() bounds depth, also for schemas that recurse", async () => {
  const nest = (levels: number) => JSON.parse('{"a":'.repeat(levels) + "1" + "}".repeat(levels));
  assert.deepEqual(await problems({ type: "object" }, nest(5000)), ["is nested deeper than 256 levels"]);
  const tree = {
    $ref: "#/$defs/t",
    $defs: { t: { type: ["object", "number"], properties: { a: { $ref: "#/$defs/t" } } } },
  };
  assert.deepEqual(await problems(tree, nest(200)), []);
  const endless = { $ref: "#/$defs/t", $defs: { t: { $ref: "#/$defs/t" } } };
  await assert.rejects(() => problems(endless, {}), { code: "invalid_input" });
});

Deno.test("problems() keeps schemas apart that declare the same identity", async () => {
  const schema = (type: string): JsonObject => ({
    type: "object",
    properties: { a: { $ref: "https://example.com/part" } },
    $defs: { part: { $id: "https://example.com/part", type } },
  });
  assert.deepEqual(await problems(schema("string"), { a: "x" }), []);
  assert.deepEqual(await problems(schema("number"), { a: "x" }), ["a must be number, is string"]);
  assert.deepEqual(await problems(schema("string"), { a: "x" }), []);
});

Deno.test("problems() understands 2020-12, 2019-09 and draft-07, declared or not", async () => {
  const prefix = {
    type: "object",
    properties: { a: { type: "array", prefixItems: [{ type: "string" }], items: false } },
  };
  assert.deepEqual(await problems(prefix, { a: ["x"] }), []);
  assert.equal((await problems(prefix, { a: ["x", 1] })).length, 1);
  const older = {
    type: "object",
    properties: { a: { type: "array", items: [{ type: "string" }], additionalItems: false } },
  };
  for (
    const $schema of [
      "http://json-schema.org/draft-07/schema#",
      "https://json-schema.org/draft/2019-09/schema",
    ]
  ) {
    assert.deepEqual(await problems({ $schema, ...older }, { a: ["x"] }), []);
    assert.equal((await problems({ $schema, ...older }, { a: ["x", 1] })).length, 1);
  }
  const { schema } = normaliseInputSchema({ ...older, dependencies: { b: ["a"], c: { required: ["b"] } } });
  assert.ok(schema);
  assert.deepEqual(await problems(schema, { a: ["x"] }), []);
  assert.equal((await problems(schema, { a: ["x", 1] })).length, 1);
  assert.equal((await problems(schema, { a: [1] })).length, 1);
  assert.deepEqual(await problems(schema, { b: 1 }), ["a is missing"]);
  assert.equal((await problems(schema, { a: [], c: 1 })).length, 1);
});

Deno.test("compile() refuses a schema that can't be compiled", async () => {
  await assert.rejects(
    () => validator.compile({ type: "object", properties: { a: { minLength: "two" } } }),
    { code: "invalid_input", message: /Cannot use the schema/ },
  );
  await validator.compile(SCHEMA);
});
