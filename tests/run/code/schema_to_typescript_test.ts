import assert from "node:assert/strict";
import { schemaToTypescript } from "../../../src/run/code/schema_to_typescript.ts";
import type { JsonValue } from "../../../src/base/json.ts";

const CASES: [string, JsonValue, string][] = [
  ["required and optional fields", {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "integer" } },
    required: ["a"],
  }, "{ a: string; b?: number }"],
  ["a description as doc comment", {
    type: "object",
    properties: { a: { type: "string", description: "City\nname" } },
  }, "{ /** City name */ a?: string }"],
  [
    "odd keys quoted",
    { type: "object", properties: { "a-b": { type: "null" }, 'x"y': true } },
    '{ "a-b"?: null; "x\\"y"?: unknown }',
  ],
  ["enum", { enum: ["x", 1, null] }, '"x" | 1 | null'],
  ["const", { const: "x" }, '"x"'],
  ["type list", { type: ["string", "null"] }, "string | null"],
  [
    "list of unions",
    { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
    "Array<string | number>",
  ],
  [
    "tuple",
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
    "[string, number]",
  ],
  ["map", { type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  ["no schema", {}, "unknown"],
  ["false", false, "never"],
  [
    "$ref",
    { $defs: { p: { type: "number" } }, type: "object", properties: { x: { $ref: "#/$defs/p" } } },
    "{ x?: number }",
  ],
  ["recursion", {
    $defs: { n: { type: "object", properties: { next: { $ref: "#/$defs/n" } } } },
    $ref: "#/$defs/n",
  }, "{ next?: unknown }"],
  ["foreign $ref", { $ref: "https://example.com/x.json" }, "unknown"],
  ["allOf", { allOf: [{ type: "object", properties: { a: { type: "string" } } }, {}] }, "({ a?: string })"],
  ["unknown type", { type: "date" }, "unknown"],
];

for (const [title, schema, wanted] of CASES) {
  Deno.test(`schemaToTypescript() writes ${title}`, () => {
    assert.equal(schemaToTypescript(schema), wanted);
  });
}

Deno.test("schemaToTypescript() keeps hostile text inside comments and strings", () => {
  const hostile = '*/ } ; evil(); /* @ts-ignore \u2028 "';
  const text = schemaToTypescript({
    type: "object",
    properties: { [hostile]: { enum: [hostile], description: hostile } },
  });
  const tokens = /\/\*.*?\*\/|"(?:[^"\\]|\\.)*"/g;
  const withoutStrings = text.replace(tokens, (token) => token.startsWith("/*") ? "C" : "S");
  assert.equal(withoutStrings, "{ C S?: S }");
});

Deno.test("schemaToTypescript() ends on schemas that are deep or refer to themselves", () => {
  let deep: JsonValue = { type: "string" };
  for (let i = 0; i < 1000; i++) deep = { type: "array", items: deep };
  assert.match(schemaToTypescript(deep), /unknown/);
  assert.equal(schemaToTypescript({ $ref: "#" }), "unknown");
  assert.equal(schemaToTypescript({ anyOf: [{ $ref: "#" }] }), "unknown");
});
