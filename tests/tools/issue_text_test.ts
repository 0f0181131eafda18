import assert from "node:assert/strict";
import { z } from "zod";
import { issueTexts } from "../../src/tools/issue_text.ts";

const schema = z.strictObject({
  action: z.enum(["get", "set"]),
  key: z.string(),
  input_schema: z.looseObject({}).optional(),
  ttl: z.int().max(5).optional(),
  table: z.record(z.string(), z.strictObject({ a: z.string() })).optional(),
  list: z.array(z.strictObject({ key: z.string() })).min(1).optional(),
});

const fine = { action: "get", key: "k" };
const CASES: readonly [what: string, value: unknown, faults: string[]][] = [
  ["missing fields", {}, ['action: is missing, expected one of "get"|"set"', "key: is missing"]],
  ["a wrong choice", { ...fine, action: "x" }, ['action: expected one of "get"|"set"']],
  ["a wrong type", { ...fine, key: 5 }, ["key: expected string, received number"]],
  ["the same word written otherwise", { ...fine, inputSchema: {} }, [
    "inputSchema: unknown field, input_schema may be meant",
  ]],
  ["a slip", { ...fine, tttl: 1 }, ["tttl: unknown field, ttl may be meant"]],
  ["a word of its own", { ...fine, colour: 1 }, ["colour: unknown field"]],
  ["a number beyond two bounds", { ...fine, ttl: 1e99 }, ["ttl: must be <=5"]],
  ["a part of a number", { ...fine, ttl: 0.5 }, ["ttl: must be a whole number"]],
  ["a list for a table", { ...fine, table: [] }, ["table: expected object, received array"]],
  ["faults inside", { ...fine, table: { x: { b: 1 } }, list: [{ key: "a" }, {}] }, [
    "table.x.a: is missing",
    "table.x.b: unknown field",
    "list[1].key: is missing",
  ]],
  ["an empty list", { ...fine, list: [] }, ["list: must have >=1 items"]],
  ["no object", 5, ["arguments: expected object, received number"]],
];

for (const [what, value, faults] of CASES) {
  Deno.test(`issueTexts() tells of ${what}`, () => {
    const parsed = schema.safeParse(value);
    assert.ok(parsed.error);
    const texts = issueTexts(parsed.error.issues, {
      value,
      root: "arguments",
      known: Object.keys(schema.shape),
    });
    assert.deepEqual(texts, faults);
  });
}

Deno.test("issueTexts() stops at eight faults and says how many more there are", () => {
  const many = z.strictObject({}).safeParse(
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 1])),
  );
  assert.ok(many.error);
  const texts = issueTexts(many.error.issues, { value: {}, root: "arguments" });
  assert.equal(texts.length, 9);
  assert.equal(texts.at(-1), "and 12 more");
});
