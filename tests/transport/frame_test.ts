import assert from "node:assert/strict";
import { parseFrame } from "../../src/transport/frame.ts";

const kindOf = (text: string) => parseFrame(text).kind;

function errorOf(text: string): { code: number; id: unknown; message: string } {
  const frame = parseFrame(text);
  assert.equal(frame.kind, "invalid");
  const { id, error } = frame.reply;
  return { code: error.code, id, message: error.message };
}

Deno.test("parseFrame() tells requests, notifications, responses, and arrays apart", () => {
  assert.equal(kindOf('{"jsonrpc":"2.0","id":1,"method":"ping"}'), "request");
  assert.equal(kindOf('{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}'), "request");
  assert.equal(kindOf('{"jsonrpc":"2.0","method":"note"}'), "notification");
  assert.equal(kindOf('{"jsonrpc":"2.0","id":1,"result":{}}'), "response");
  assert.equal(kindOf('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'), "response");
  assert.equal(kindOf('[{"jsonrpc":"2.0","method":"note"}]'), "batch");
});

Deno.test("B07 parseFrame() keeps ids as they are: 0, large, and text", () => {
  for (const id of [0, -1, 1774232524389, "abc-1", "", Number.MAX_SAFE_INTEGER]) {
    const frame = parseFrame(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
    assert.equal(frame.kind === "request" && frame.id, id);
  }
});

Deno.test("B07 parseFrame() refuses an id whose digits would not come back", () => {
  const { code, id } = errorOf('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
  assert.deepEqual([code, id], [-32600, null]);
});

Deno.test("parseFrame() answers what is no JSON with -32700", () => {
  for (const text of ["{", "hello", '{"a":NaN}', "\u0000", "[".repeat(100_000)]) {
    assert.equal(errorOf(text).code, -32700, text.slice(0, 20));
  }
});

Deno.test("parseFrame() answers JSON that is no message with -32600 and the id if it has one", () => {
  assert.deepEqual(errorOf("1").id, null);
  assert.equal(errorOf("null").code, -32600);
  assert.match(errorOf('"text"').message, /a string is not a message/);
  assert.equal(errorOf('{"id":7,"method":"ping"}').id, 7);
  for (const id of ["null", "1.5", "true", "{}", "[]"]) {
    assert.equal(errorOf(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`).id, null);
  }
  assert.equal(errorOf('{"jsonrpc":"2.0","id":1,"method":5}').code, -32600);
  assert.equal(errorOf('{"jsonrpc":"2.0","id":1}').code, -32600);
  assert.equal(errorOf('{"jsonrpc":"2.0","result":{}}').code, -32600);
});

Deno.test("B14 parseFrame() names the type of params that are no object", () => {
  for (const [params, type] of [["null", "null"], ["[]", "array"], ['"x"', "string"]] as const) {
    const { code, message } = errorOf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    assert.equal(code, -32602);
    assert.match(message, new RegExp(`params is (?:an? )?${type}`));
  }
});
