import assert from "node:assert/strict";
import type { ToolResult } from "../../../src/base/tool_result.ts";
import type { ToolRequest } from "../../../src/run/runner.ts";
import { wasmResult } from "../../../src/run/wasm/wasm_result.ts";

const CALL: ToolRequest = { kind: "tool", arguments: {} };

function exited(stdout: string, code = 0, request = CALL): ToolResult {
  return wasmResult(
    {
      kind: "end",
      end: { type: "end", outcome: { kind: "exit", code }, memory: 0, stderr: "" },
      stdout: new TextEncoder().encode(stdout),
    },
    {
      tool: "t",
      request,
      limits: { memory_mb: 1, output_bytes: 1 },
      stderr: "",
      refused: undefined,
    },
  );
}

Deno.test("wasmResult() takes a text as it is and a JSON object as data", () => {
  assert.deepEqual(exited("a\nb\n"), { content: [{ type: "text", text: "a\nb" }] });
  assert.deepEqual(exited("42"), { content: [{ type: "text", text: "42" }] });
  const object = exited(' {"a": [1]}\n');
  assert.deepEqual(object.structuredContent, { a: [1] });
});

Deno.test("wasmResult() reads a JSON-RPC answer among other lines, as of scripts", () => {
  const answer = exited(
    'log\n{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}]}}\nbye',
  );
  assert.deepEqual(answer, { content: [{ type: "text", text: "x" }] });
  const failure = exited('{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}', 1);
  assert.equal(failure.isError, true);
  assert.match(String(failure.content[0]?.text), /^no/);
});

Deno.test("wasmResult() shows the output of a module that failed", () => {
  const result = exited("half", 2);
  assert.equal(result.isError, true);
  assert.match(String(result.content[0]?.text), /exit code 2\nstdout: half/);
});

Deno.test("wasmResult() answers prompts and resources in their own shape", () => {
  const prompt = exited("hello", 0, { kind: "prompt", name: "p", arguments: {} });
  assert.deepEqual(prompt.structuredContent, {
    messages: [{ role: "user", content: { type: "text", text: "hello" } }],
  });
});
