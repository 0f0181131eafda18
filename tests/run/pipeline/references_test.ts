import assert from "node:assert/strict";
import type { JsonValue } from "../../../src/base/json.ts";
import { parseTemplate } from "../../../src/run/pipeline/references.ts";
import { resolveArguments, type Scope } from "../../../src/run/pipeline/resolve.ts";
import type { StepValue } from "../../../src/run/pipeline/step_value.ts";

const VALUES: Record<string, StepValue> = {
  input: { value: { a: { b: 7 }, list: [1, 2] }, optional: true },
  ny: { value: { datetime: "10:00", ok: true, n: 1.5, nothing: null, "odd key": "odd", "is-dst": false } },
  rows: { value: [{ x: 1 }, { x: [2, 3] }] },
  "my-step": { value: { "a-b": "hyphen" } },
  text: { value: "words" },
  skipped: { value: undefined },
  withBlocks: { value: "t", content: [{ type: "text", text: "t" }] },
};
const scope: Scope = {
  value(name) {
    const found = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
    if (!found) throw new Error(`Unknown name ${name}`);
    return found;
  },
};

const resolved: [template: JsonValue, value: JsonValue | undefined][] = [
  ["$input.a.b", 7],
  ["$input", { a: { b: 7 }, list: [1, 2] }],
  ["$ny.ok", true],
  ["$ny.nothing", null],
  ["$rows[0].x", 1],
  ["$rows.1.x", [2, 3]],
  ["$rows[1].x[0]", 2],
  ["$rows[-1].x[-2]", 2],
  ["last: ${rows[-2].x}, $rows[-1].x[1]", "last: 1, 3"],
  ["$rows.length", 2],
  ['$ny["odd key"]', "odd"],
  ["$ny.is-dst", false],
  ["${ny.is-dst}", false],
  ["$my-step.a-b", "hyphen"],
  ["at ${my-step.a-b}!", "at hyphen!"],
  ["NY: $ny.datetime, rows $rows", 'NY: 10:00, rows [{"x":1},{"x":[2,3]}]'],
  ["NY: $ny.datetime.", "NY: 10:00."],
  ["${ny.n}x$ny.ok$ny.nothing", "1.5xtruenull"],
  ["${ny.datetime}Z", "10:00Z"],
  ["$text-$text", "words-words"],
  ["costs $5, $$ny.datetime, $$$text, 100$", "costs $5, $ny.datetime, $words, 100$"],
  ["$$", "$"],
  ["", ""],
  [["$text", { deep: ["$ny.n", 3, null] }], ["words", { deep: [1.5, 3, null] }]],
  [{ $text: "key stays" }, { $text: "key stays" }],
  [{ given: "$input.a.b", absent: "$input.none", skipped: "$skipped.x" }, { given: 7 }],
  [["$input.none"], [null]],
  ["x${input.none}y", "xy"],
  ["$withBlocks.content[0].text", "t"],
  [JSON.parse('{"__proto__": "$text"}'), JSON.parse('{"__proto__": "words"}')],
];

for (const [template, value] of resolved) {
  Deno.test(`resolveArguments() makes ${JSON.stringify(value)} of ${JSON.stringify(template)}`, () => {
    const found = resolveArguments(template, scope);
    assert.deepEqual(found, value);
    assert.equal(JSON.stringify(found), JSON.stringify(value));
  });
}

Deno.test("a reference to what a result lacks is an error that says what there is", () => {
  for (
    const [text, message] of [
      ["$ny.date", /there is no "date", it has datetime, ok/],
      ["$rows[2].x", /there is no 2, it is a list of 2/],
      ["$text.length", /there is no "length", it is a string/],
      ["$ny.nothing.x", /it is null/],
      ["at ${ny.datetime.x}", /\$\{ny\.datetime\.x\}/],
    ] as const
  ) assert.throws(() => resolveArguments(text, scope), message);
});

Deno.test("what JavaScript gives to every object can't be reached", () => {
  for (const key of ["constructor", "__proto__", "toString", "hasOwnProperty", "prototype", "valueOf"]) {
    assert.throws(() => resolveArguments(`$ny.${key}`, scope), /Cannot resolve/);
    assert.throws(() => resolveArguments(`$rows.${key}`, scope), /Cannot resolve/);
    assert.throws(() => resolveArguments(`$text["${key}"]`, scope), /Cannot resolve/);
    assert.throws(() => resolveArguments(`$${key}`, scope));
    assert.deepEqual(resolveArguments({ a: `$input.${key}` }, scope), {});
  }
});

Deno.test("parseTemplate() refuses braces that hold no reference, and names the place", () => {
  for (const text of ["${", "a ${}", "${ny.datetime", "${ny + 1}", "${1}"]) {
    assert.throws(() => parseTemplate(text), /Cannot read reference at character \d+/);
  }
});

Deno.test("parseTemplate() stays quick on long hostile texts", () => {
  const started = performance.now();
  for (
    const text of [
      "$".repeat(100_000),
      "$a.".repeat(50_000),
      '$a["' + "\\".repeat(100_000),
      "$a[".repeat(50_000),
    ]
  ) {
    parseTemplate(text);
  }
  assert.ok(performance.now() - started < 10_000);
});
