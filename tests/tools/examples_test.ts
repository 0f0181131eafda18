import assert from "node:assert/strict";
import { errorResult, okResult } from "../../src/base/tool_result.ts";
import { matchExample } from "../../src/tools/examples.ts";

const RESULT = okResult("The sum is 42", { sum: 42, parts: [{ n: 40, more: true }, { n: 2 }], none: null });

Deno.test("matchExample() finds nothing to say when the result holds what is expected", () => {
  assert.deepEqual(matchExample(RESULT, undefined), []);
  assert.deepEqual(matchExample(RESULT, {}), []);
  assert.deepEqual(matchExample(RESULT, { text: "is 42" }), []);
  assert.deepEqual(matchExample(RESULT, { structured: { sum: 42, parts: [{ n: 40 }, {}], none: null } }), []);
  assert.deepEqual(matchExample(errorResult("No such city: X"), { error: "No such city" }), []);
});

Deno.test("matchExample() names each difference with its path", () => {
  assert.deepEqual(
    matchExample(RESULT, { text: "43", structured: { sum: "42", parts: [{ n: 4 }, { n: 2, m: 1 }], x: {} } }),
    [
      'the text does not contain "43"',
      'structuredContent.sum is 42, must be "42"',
      "structuredContent.parts[0].n is 40, must be 4",
      "structuredContent.parts[1].m is missing",
      "structuredContent.x is missing",
    ],
  );
  assert.deepEqual(matchExample(RESULT, { structured: { parts: [{}] } }), [
    "structuredContent.parts has 2 members, must have 1",
  ]);
  assert.deepEqual(matchExample(RESULT, { structured: { parts: {}, none: {} } }), [
    "structuredContent.parts is array, must be object",
    "structuredContent.none is null, must be object",
  ]);
  assert.deepEqual(matchExample(okResult("x"), { structured: {} }), ["structuredContent is missing"]);
});

Deno.test("matchExample() tells success from failure", () => {
  assert.deepEqual(matchExample(errorResult("42"), { text: "42" }), ["it failed"]);
  assert.deepEqual(matchExample(errorResult("42"), undefined), ["it failed"]);
  assert.deepEqual(matchExample(RESULT, { error: "42" }), ['it succeeded, but must fail with "42"']);
  assert.deepEqual(matchExample(errorResult("a"), { error: "b" }), ['the failure does not contain "b"']);
});

Deno.test("matchExample() is not fooled by what objects inherit, and is short about much", () => {
  assert.deepEqual(matchExample(RESULT, { structured: { toString: {} } }), [
    "structuredContent.toString is missing",
  ]);
  const wanted = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, "x".repeat(1000)]));
  const faults = matchExample(RESULT, { structured: wanted });
  assert.equal(faults.length, 11);
  assert.ok(faults.join().length < 5000);
});
