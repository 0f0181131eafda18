import { deepEqual, equal, match } from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { needs } from "../support/needs.ts";
import { bench, testCaller, testContext } from "./_fixture.ts";

/** A Python script that sends the requests of its arguments at once and answers what came back, by id. */
const ASKS = `
import json, sys
req = json.loads(sys.stdin.readline())
for line in req["params"]["arguments"]["lines"]: print(line)
got = {}
while len(got) < req["params"]["arguments"]["answers"]:
    line = sys.stdin.readline()
    m = json.loads(line)
    got[line[line.index('"id":') + 5:].split(",")[0].rstrip("}\\n")] = m.get("result", m.get("error"))
print(json.dumps({"jsonrpc": "2.0", "id": 1, "result": got}))
`;

const ignore = needs("python3");

async function asked(lines: string[], ctx = testContext(), answers = lines.length): Promise<JsonObject> {
  await using place = await bench({
    callTool: (name) => {
      if (name === "missing") {
        return Promise.reject(new SkillzError("not_found", "Cannot call: no such tool"));
      }
      return Promise.resolve({ content: [{ type: "text", text: name }], isError: name === "bad" });
    },
  });
  const tool = await place.tool("asks", { interpreter: "python3", extension: "py", code: ASKS });
  const result = await place.call(tool, { lines, answers }, ctx);
  return result.structuredContent ?? {};
}

function request(id: unknown, method: string, params: JsonObject = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

Deno.test({
  name: "serveHostRequest() keeps the shapes of the older edition",
  ignore,
  async fn() {
    const got = await asked([
      request("a", "memory/get", { key: "no" }),
      request("b", "memory/set", { key: "k", value: { x: 1 }, ttl: 60 }),
      request("c", "memory/get", { key: "k" }),
      request("d", "memory/list", { prefix: "k" }),
      request("e", "memory/delete", { key: "k" }),
      request("f", "resources/list"),
      request("g", "resources/read", { uri: "test://x" }),
      request("h", "tools/call", { name: "good" }),
      request("i", "tools/call", { name: "bad", arguments: {} }),
      request("j", "roots/list"),
    ]);
    const { '"j"': roots, ...rest } = got;
    deepEqual(rest, {
      '"a"': { value: null, found: false },
      '"b"': { success: true },
      '"c"': { value: { x: 1 }, found: true },
      '"d"': { keys: ["k"] },
      '"e"': { deleted: true },
      '"f"': { resources: [{ uri: "test://a", name: "a" }] },
      '"g"': { contents: [{ uri: "test://x", text: "text of test://x" }] },
      '"h"': { content: [{ type: "text", text: "good" }], isError: false, output: "good" },
      '"i"': { content: [{ type: "text", text: "bad" }], isError: true, output: "bad" },
    });
    match(JSON.stringify(roots), /"uri":"file:\/\/\/.*root","name":"root"/);
  },
});

Deno.test({
  name: "B07 ids of requests come back exactly",
  ignore,
  async fn() {
    const ids = ["0", "-5", "1774232524389", "9007199254740993", '"abc-1"', '""'];
    const got = await asked(
      ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"memory/get","params":{"key":"k"}}`),
    );
    deepEqual(Object.keys(got).sort(), [...ids].sort());
  },
});

Deno.test({
  name: "serveHostRequest() answers a bad request with code, message and what to do",
  ignore,
  async fn() {
    const got = await asked([
      request("a", "no/such"),
      request("b", "memory/get"),
      request("c", "memory/get", { key: 5 }),
      request("d", "memory/set", { key: "k" }),
      request("e", "tools/call", { name: "missing" }),
      request("f", "tools/call", { name: "x", arguments: [1] }),
      request("g", "constructor"),
    ]);
    const errors = Object.values(got).filter(isJsonObject);
    deepEqual(errors.map((error) => error.code), [-32601, -32602, -32602, -32602, -32002, -32602, -32601]);
    match(String(errors[0]?.message), /memory\/get.*tools\/call/);
    match(String(errors[2]?.message), /params\.key is number, it must be a string/);
    match(String(errors[5]?.message), /params\.arguments is array, it must be an object/);
  },
});

Deno.test({
  name: "questions carry the script's own id as their key, and several may be open at once",
  ignore,
  async fn() {
    const open = new Map<string, (answer: JsonObject) => void>();
    const { caller, heard } = testCaller({
      answer: ({ key = "" }) =>
        new Promise((resolve) => {
          open.set(key, resolve);
          // Answered in reverse, when all have been asked.
          if (open.size === 3) { for (const name of [...open.keys()].reverse()) open.get(name)?.({ name }); }
        }),
    });
    const got = await asked([
      request("user_name", "elicitation/create", { message: "Who?", requestedSchema: { type: "object" } }),
      request(7, "sampling/createMessage", { messages: [], maxTokens: 5 }),
      request("second", "elicitation/create", { message: "And?", requestedSchema: { type: "object" } }),
    ], testContext({ caller }));
    deepEqual(got, {
      '"user_name"': { name: "user_name" },
      "7": { name: "7" },
      '"second"': { name: "second" },
    });
    deepEqual(heard.questions.map(({ method, key }) => [method, key]), [
      ["elicitation/create", "user_name"],
      ["sampling/createMessage", "7"],
      ["elicitation/create", "second"],
    ]);
    equal(heard.questions[0]?.params.message, "Who?");
  },
});

Deno.test({
  name: "B21 a question that the client can't answer is an error at once, and the script goes on",
  ignore,
  async fn() {
    const { caller } = testCaller();
    const unable = {
      ...caller,
      ask: () => Promise.reject(new SkillzError("unavailable", "Cannot ask: the client has no elicitation")),
    };
    const got = await asked(
      [request(1, "elicitation/create", { message: "?" }), request(2, "sampling/createMessage")],
      testContext({ caller: unable }),
    );
    deepEqual(Object.values(got).map((error) => isJsonObject(error) && error.code), [-32001, -32001]);
  },
});

Deno.test({
  name: "notes go by each of their names, and none comes after the result",
  ignore,
  async fn() {
    const { caller, heard } = testCaller();
    const note = (method: string, params: JsonObject) => JSON.stringify({ jsonrpc: "2.0", method, params });
    await asked(
      [
        note("log", { message: "a" }),
        note("logging/message", { level: "warn", message: "b", data: { x: 1 } }),
        note("progress", { progress: 0.5, total: 2 }),
        note("progress", { progress: 0.25 }),
        note("notifications/progress", { current: 1, message: "m" }),
        note("progress/update", { progress: "1.5" }),
        note("progress", { progress: "x" }),
        note("stream", { data: "chunk", index: 0 }),
        note("stream/chunk", { data: "end", is_final: true }),
        note("unheard/of", {}),
      ],
      testContext({ caller }),
      0,
    );
    deepEqual(heard.progress, [{ progress: 0.5, total: 2 }, { progress: 1, message: "m" }, {
      progress: 1.5,
    }]);
    deepEqual(heard.logs, [
      { level: "info", data: "a", logger: "asks" },
      { level: "warning", data: { message: "b", data: { x: 1 } }, logger: "asks" },
      { level: "info", data: { data: "chunk", index: 0, type: "stream" }, logger: "asks" },
      { level: "info", data: { data: "end", is_final: true, type: "stream" }, logger: "asks" },
    ]);
  },
});
