import { deepEqual, equal, match, ok } from "node:assert/strict";
import { classifyLine, type Frame } from "../../../src/process/rpc/frames.ts";

function kindOf(line: string): string {
  return classifyLine(line).kind;
}

function broken(line: string): Frame & { kind: "broken" } {
  const frame = classifyLine(line);
  ok(frame.kind === "broken", `${line} is ${frame.kind}`);
  return frame;
}

Deno.test("classifyLine() tells requests, notifications and answers", () => {
  deepEqual(classifyLine('{"jsonrpc":"2.0","id":"m-1","method":"memory/get","params":{"key":"a"}}'), {
    kind: "request",
    id: "m-1",
    method: "memory/get",
    params: { key: "a" },
  });
  deepEqual(classifyLine('{"jsonrpc":"2.0","method":"log"}'), {
    kind: "notification",
    method: "log",
    params: {},
  });
  deepEqual(classifyLine(' {"jsonrpc":"2.0","id":1,"result":null} '), {
    kind: "response",
    id: 1,
    answer: { result: null },
  });
  deepEqual(classifyLine('{"jsonrpc":"2.0","id":0,"error":{"code":-5,"message":"no","data":[1]}}'), {
    kind: "response",
    id: 0,
    answer: { error: { code: -5, message: "no", data: [1] } },
  });
});

Deno.test("classifyLine() takes what is written by hand where it leaves no doubt", () => {
  equal(kindOf('{"id":1,"result":"x"}'), "response");
  equal(kindOf('{"id":"a","method":"memory/get"}'), "request");
  equal(kindOf('{"method":"log","params":{"message":"x"}}'), "notification");
  deepEqual(classifyLine('{"id":1,"result":2,"error":null}'), {
    kind: "response",
    id: 1,
    answer: { result: 2 },
  });
  deepEqual(classifyLine('{"id":1,"result":null,"error":"no"}'), {
    kind: "response",
    id: 1,
    answer: { error: { code: -32000, message: "no" } },
  });
  equal(kindOf('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'), "response");
});

Deno.test("B01 classifyLine() takes prints and logs for text", () => {
  for (
    const line of [
      "Loading model...",
      "",
      '{"level":"info"}',
      '{"level":30,"method":"GET","url":"/"}',
      '{"id":1,"status":"done"}',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"1.0","id":1,"result":1}',
      '{"jsonrpc":"2.0","id":{"a":1},"result":1}',
      '{"jsonrpc":"2.0","id":true,"result":1}',
      '{"jsonrpc":"2.0","id":null,"result":1}',
      '[{"jsonrpc":"2.0","id":1,"result":1}]',
      "null",
      "1",
      "{not json}",
      "{'jsonrpc': '2.0', 'method': 'execute', 'params': {'result': 1}, 'id': 1}",
    ]
  ) equal(kindOf(line), "text", line);
});

Deno.test("B05 classifyLine() names NaN and Infinity as the cause, with the id of the answer", () => {
  const frame = broken(
    '{"jsonrpc": "2.0", "id": 1, "result": {"mean": NaN, "max": -Infinity, "note": "NaN \\" NaN"}}',
  );
  equal(frame.id, 1);
  match(frame.reason, /holds NaN, -Infinity, which JSON does not have/);
  equal(broken('{"result": Infinity, "id": "a-1"}').id, "a-1");
});

Deno.test("B05 classifyLine() does not take words inside texts for numbers", () => {
  equal(kindOf('{"jsonrpc":"2.0","id":1,"result":"NaN and Infinity"}'), "response");
  ok(!broken('{"jsonrpc":"2.0","id":1,"result":"NaN"').reason.includes("holds NaN"));
});

Deno.test("classifyLine() tells an answer that was cut off or printed as a Python dict", () => {
  const half = broken('{"jsonrpc":"2.0","id":7,"resu' + 'lt":{"a":');
  equal(half.id, 7);
  ok(half.reason.length > 0);
  const dict = broken("{'jsonrpc': '2.0', 'id': 'x', 'result': {'ok': True}}");
  equal(dict.id, "x");
  match(dict.reason, /json\.dumps/);
});

Deno.test("B07 classifyLine() keeps every id exactly", () => {
  for (const id of ["0", "-1", "1774232524389", "9007199254740993", '"abc-1"', '""']) {
    const frame = classifyLine(`{"jsonrpc":"2.0","id":${id},"method":"x"}`);
    ok(frame.kind === "request");
    equal(JSON.stringify(frame.id), id);
  }
});

Deno.test("classifyLine() survives deep nesting and names of prototypes", () => {
  const deep = `{"jsonrpc":"2.0","id":1,"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  ok(["response", "broken"].includes(kindOf(deep)));
  equal(kindOf('{"__proto__":{"method":"x"},"id":1}'), "text");
  equal(({} as Record<string, unknown>).method, undefined);
});
