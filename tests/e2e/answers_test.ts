import assert from "node:assert/strict";
import { resultText, type ToolResult } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";

// What scripts answer, however odd, and what a client of the SDK gets: never a refused result, never a false success.

interface Row {
  /** What is odd about it. */
  readonly what: string;
  /** The whole line, or the value of `result`. */
  readonly line?: string;
  readonly result?: string;
  readonly limits?: Record<string, number>;
  check(result: ToolResult, text: string): void;
}

const fails = (pattern: RegExp) => (result: ToolResult, text: string) => {
  assert.equal(result.isError, true, text);
  assert.match(text, pattern);
};
const tells = (wanted: string) => (result: ToolResult, text: string) => {
  assert.equal(result.isError ?? false, false, text);
  assert.equal(text, wanted);
};

const ROWS: readonly Row[] = [
  { what: "isError alone", result: '{"isError":true}', check: fails(/failure/) },
  { what: "isError with no blocks", result: '{"isError":true,"content":[]}', check: fails(/failure/) },
  {
    what: "isError with a block of no kind",
    result: '{"isError":true,"content":[{"type":"weird","why":"full disk"}]}',
    check: fails(/full disk/),
  },
  { what: "isError beside data of its own", result: '{"isError":true,"code":7}', check: fails(/"code":7/) },
  {
    what: "a secret in a failure",
    result: '{"isError":true,"content":[{"type":"text","text":"bad key s3cr3t-value"}]}',
    check: fails(/^bad key \[secret\]$/),
  },
  {
    what: "annotations out of range",
    result: '{"content":[{"type":"text","text":"x","annotations":{"priority":7,"audience":"me"},"_meta":5}]}',
    check: tells("x"),
  },
  {
    what: "a link of odd size",
    result: '{"content":[{"type":"resource_link","uri":"x://y","name":"n","size":"big"}]}',
    check: (result) => assert.deepEqual(result.content, [{ type: "resource_link", uri: "x://y", name: "n" }]),
  },
  { what: "content that is a text", result: '{"content":"x"}', check: tells('{"content":"x"}') },
  {
    what: "half a character, as Python writes for file names that are no UTF-8",
    result: '{"content":[{"type":"text","text":"a\\udcffb 😀 \\ud83d\\ude00"}]}',
    check: tells("a\ufffdb 😀 😀"),
  },
  { what: "a number that no reader can hold", result: '{"a":1e400}', check: fails(/1e400/) },
  {
    what: "forged metadata",
    result:
      '{"content":[{"type":"text","text":"x"}],"_meta":{"skillz/isolation":{"mode":"forged"},"mine":1}}',
    check: (result) => {
      assert.doesNotMatch(JSON.stringify(result), /forged/);
      assert.equal(result._meta?.mine, 1);
    },
  },
  {
    what: "a text of exactly the limit",
    result: `"${"x".repeat(1000)}"`,
    limits: { output_bytes: 1000 },
    check: tells("x".repeat(1000)),
  },
  {
    what: "a text of one character too many",
    result: `"${"x".repeat(1001)}"`,
    limits: { output_bytes: 1000 },
    check: fails(/limits\.output_bytes is 1000/),
  },
  {
    what: "plain output of exactly the limit",
    line: "x".repeat(1000),
    limits: { output_bytes: 1000 },
    check: tells("x".repeat(1000)),
  },
];

Deno.test({
  name: "odd answers of scripts reach a client as what they are",
  ignore: needs("bash"),
  async fn(t) {
    await using server = await startServer({ env: { SKILLZ_KEY: "s3cr3t-value" } });
    for (const [index, { what, line, result, limits, check }] of ROWS.entries()) {
      await t.step(what, async () => {
        const name = `odd_${index}`;
        const printed = line ?? `{"jsonrpc":"2.0","id":1,"result":${result}}`;
        await server.text("register_script", {
          name,
          description: what,
          interpreter: "bash",
          code: `read -r l\nprintf '%s' '${printed}'\n`,
          ...(limits === undefined ? {} : { limits }),
        });
        const got = await server.call("call_tool", { tool_name: name });
        check(got, resultText(got));
      });
    }
    await server.client.ping();
  },
});

Deno.test({
  name: "a persistent tool's second answer to one call is not blamed on the next",
  ignore: needs("python3"),
  async fn() {
    await using server = await startServer();
    await server.text("register_script", {
      name: "twice",
      description: "Answers twice, then ends",
      interpreter: "python3",
      lifecycle: "persistent",
      code: [
        "import json, os, sys",
        "for line in sys.stdin:",
        "    call = json.loads(line)",
        "    if call.get('method') != 'execute': continue",
        "    answer = lambda id: print(json.dumps({'jsonrpc': '2.0', 'id': id, 'result': 1}), flush=True)",
        // The last call gets the late answer of the one before while it runs.
        "    if call['params']['arguments'].get('end'): answer(call['id'] - 1); os._exit(7)",
        "    for _ in range(2): answer(call['id'])",
      ].join("\n"),
    });
    assert.equal(await server.text("call_tool", { tool_name: "twice" }), "1");
    assert.equal(await server.text("call_tool", { tool_name: "twice" }), "1");
    const ended = await server.call("call_tool", { tool_name: "twice", arguments: { end: true } });
    assert.match(resultText(ended), /exit code 7/);
    assert.doesNotMatch(resultText(ended), /answered id/);
  },
});
