import assert from "node:assert/strict";
import { ProtocolError } from "@modelcontextprotocol/server";
import { type ErrorCode, SkillzError } from "../../src/base/errors.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { isOurFault, toProtocolError, toToolResult } from "../../src/mcp/errors.ts";

const CODES: readonly [ErrorCode, number][] = [
  ["invalid_input", -32602],
  ["not_found", -32602],
  ["conflict", -32602],
  ["denied", -32602],
  ["unavailable", -32603],
  ["timeout", -32603],
  ["limit", -32603],
  ["cancelled", -32603],
  ["failed", -32603],
  ["internal", -32603],
];

for (const [code, wanted] of CODES) {
  Deno.test(`toProtocolError() gives ${code} the code ${wanted}`, () => {
    assert.equal(toProtocolError(new SkillzError(code, "Cannot: x")).code, wanted);
  });
}

Deno.test("toProtocolError() and toToolResult() say what to do next", () => {
  const error = new SkillzError("denied", "Cannot read: not granted", {
    hint: "Grant it",
    data: { path: "x" },
  });
  assert.equal(toProtocolError(error).message, "Cannot read: not granted. Grant it");
  assert.deepEqual(toProtocolError(error).data, { path: "x" });
  const result = toToolResult(error);
  assert.equal(resultText(result), "Cannot read: not granted. Grant it");
  assert.equal(result.isError, true);
});

Deno.test("errors that are no business of the client's keep what they say to themselves", () => {
  for (
    const error of [new Error("Secret 42"), new SkillzError("internal", "Secret 42"), "Secret 42", undefined]
  ) {
    assert.doesNotMatch(toProtocolError(error).message, /42/);
    assert.doesNotMatch(resultText(toToolResult(error)), /42/);
    assert.ok(isOurFault(error));
  }
});

Deno.test("errors of the protocol pass through", () => {
  const error = new ProtocolError(-32021, "Missing");
  assert.equal(toProtocolError(error), error);
  assert.equal(isOurFault(error), false);
  assert.equal(isOurFault(new SkillzError("timeout", "Cannot: late")), false);
});
