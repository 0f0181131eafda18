import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { SkillzError } from "../../../src/base/errors.ts";
import type { Frame } from "../../../src/process/rpc/frames.ts";
import { Peer, type PeerOptions } from "../../../src/process/rpc/peer.ts";
import { spawnProcess } from "../../../src/process/spawn.ts";
import { needs } from "../../support/needs.ts";
import { bash, scriptFixture } from "../../support/script_fixture.ts";

function hasCode(code: string, text: RegExp = /./): (error: unknown) => boolean {
  return (error) => error instanceof SkillzError && error.code === code && text.test(error.message);
}

/** What a script that reads one line and then prints these lines answers to one request. */
async function ask(lines: string, options: PeerOptions = {}): Promise<unknown> {
  await using child = spawnProcess(bash(`read -r line; printf '%s\\n' ${lines}`));
  await using peer = new Peer(child, options);
  return await peer.request("execute", {});
}

Deno.test("B01 Peer finds the answer between prints, and serves what is asked meanwhile", {
  ignore: needs("perl"),
}, async () => {
  const texts: string[] = [];
  const notes: unknown[] = [];
  const strays: Frame[] = [];
  await using child = spawnProcess(scriptFixture("asks_back.pl"));
  await using peer = new Peer(child, {
    handlers: new Map([["memory/get", (params) => Promise.resolve({ value: params })]]),
    onText: (line) => texts.push(line),
    onNotification: (method, params) => notes.push([method, params]),
    onStray: (frame) => strays.push(frame),
  });
  const { result } = await peer.request("execute", { arguments: {} });
  ok(Array.isArray(result));
  deepEqual(result[0], { jsonrpc: "2.0", id: "m-1", result: { value: { key: "a" } } });
  match(
    JSON.stringify(result[1]),
    /"id":2,"error":\{"code":-32601,"message":"Method \\"nope\\" is not known/,
  );
  equal(await peer.closed, undefined);
  deepEqual(texts, ["Loading model...", '{"level":"info"}', "bye"]);
  deepEqual(notes, [["log", { message: "hi" }]]);
  deepEqual(strays, [{ kind: "response", id: 999, answer: { result: 1 } }]);
});

Deno.test("request() gives the error of an answer as a value", async () => {
  deepEqual(await ask(`'{"id":1,"error":{"code":5,"message":"no"}}'`), { error: { code: 5, message: "no" } });
});

Deno.test("request() takes an error without id for its own when nothing else waits", async () => {
  const line = `'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'`;
  deepEqual(await ask(line), { error: { code: -32700, message: "Parse error" } });
});

Deno.test("B05 request() fails at once on an answer with NaN, shows it, and names the cause", async () => {
  const asking = ask(`'{"jsonrpc": "2.0", "id": 1, "result": {"mean": NaN}}'; sleep 1000`);
  await rejects(asking, hasCode("failed", /holds NaN, which JSON does not have.*\{"mean": NaN\}/s));
});

Deno.test("B09 request() fails when the program ends without an answer, or with another's id", async () => {
  await rejects(ask("hello"), hasCode("failed", /ended without/));
  await rejects(ask(`'{"jsonrpc":"2.0","id":999,"result":1}'`), hasCode("failed", /ended without/));
  await rejects(ask(`'{"jsonrpc":"2.0","id":"1","result":1}'`), hasCode("failed", /ended without/));
});

Deno.test("request() fails on half a line, and when nobody reads or answers any more", async () => {
  await using child = spawnProcess(scriptFixture("half_line.sh"));
  await using peer = new Peer(child);
  await rejects(peer.request("execute", {}), hasCode("failed"));
  await rejects(peer.request("execute", {}), hasCode("failed", /ended without/));
  await peer.notify("cancel", {});
});

Deno.test("B03 request() fails on a line without end, and names the bound", async () => {
  await using child = spawnProcess(scriptFixture("endless_line.sh"));
  await using peer = new Peer(child, { maxLineBytes: 1_000_000 });
  await rejects(peer.request("execute", {}), hasCode("limit", /\b1000000 bytes/));
  equal((await peer.closed)?.code, "limit");
});

Deno.test("request() stops waiting when the signal aborts; a later answer is stray", async () => {
  const controller = new AbortController();
  const strays: Frame[] = [];
  await using child = spawnProcess(bash(`read -r a; echo got; read -r b; echo '{"id":1,"result":1}'`));
  await using peer = new Peer(child, {
    onText: () => controller.abort(new Error("Enough")),
    onStray: (frame) => strays.push(frame),
  });
  await rejects(peer.request("execute", {}, { signal: controller.signal }), /Enough/);
  await peer.notify("go", {});
  await peer.closed;
  equal(strays.length, 1);
});

Deno.test("request() keeps many at once apart, in whatever order answers come", async () => {
  const line = `tac < <(head -n 50) | sed 's/.*"id":\\([0-9]*\\).*/{"id":\\1,"result":\\1}/'`;
  await using child = spawnProcess(bash(line));
  await using peer = new Peer(child);
  const answers = await Promise.all(Array.from({ length: 50 }, () => peer.request("n", {})));
  deepEqual(answers.map(({ result }) => result), Array.from({ length: 50 }, (_, index) => index + 1));
});

Deno.test('B07 request() sends ids exactly and takes 1 and "1" for two', async () => {
  await using child = spawnProcess(
    bash(`read -r a; read -r b; echo '{"id":"1","result":"text"}'; echo '{"id":1,"result":"number"}'`),
  );
  await using peer = new Peer(child);
  const [text, number] = await Promise.all([
    peer.request("x", {}, { id: "1" }),
    peer.request("x", {}, { id: 1 }),
  ]);
  deepEqual([text.result, number.result], ["text", "number"]);
});

Deno.test("a listener that throws does not end the reading", async () => {
  const errors: unknown[] = [];
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    errors.push(event.error);
  };
  globalThis.addEventListener("error", onError);
  try {
    const onText = () => {
      throw new Error("Listener");
    };
    deepEqual(await ask(`noise '{"id":1,"result":1}'`, { onText }), { result: 1 });
    equal(errors.length, 1);
  } finally {
    globalThis.removeEventListener("error", onError);
  }
});

Deno.test("disposing a peer ends who waits", async () => {
  await using child = spawnProcess(bash("sleep 1000"));
  const peer = new Peer(child);
  const asking = peer.request("x", {});
  const outcome = rejects(asking, hasCode("failed"));
  await peer[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
  await outcome;
});
