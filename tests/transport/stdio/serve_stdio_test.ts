import assert from "node:assert/strict";
import { tempDir } from "../../support/temp_dir.ts";
import { waitFor } from "../../support/wait_for.ts";
import { initialize, RawClient, STDIO_FIXTURE } from "../_raw_client.ts";

Deno.test("B07 serveStdio() echoes every kind of id exactly", async () => {
  await using client = new RawClient();
  await client.open();
  for (const id of [0, 1774232524389, "abc-1", "", -5, Number.MAX_SAFE_INTEGER]) {
    await client.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "echo" } });
    const answer = await client.answer(id);
    assert.equal(answer.result.content[0].text, "{}");
  }
});

Deno.test("serveStdio() answers bad input with the right error and goes on", async () => {
  await using client = new RawClient({ maxLineBytes: 100_000 });
  await client.open();
  await client.sendText("not json");
  await client.sendText("{}");
  await client.sendText("");
  await client.sendText("x".repeat(300_000));
  await client.send({ jsonrpc: "2.0", id: 1, method: "no/such" });
  await client.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: [] });
  await client.send({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "nobody" } });
  await client.send({ jsonrpc: "2.0", id: 4, method: "prompts/get", params: {} });
  await client.sendText('[{"jsonrpc":"2.0","id":5,"method":"ping"}]');
  await client.send({ jsonrpc: "2.0", id: 6, method: "resources/read", params: { uri: "skillz://none" } });
  const pong = await client.request("ping");
  assert.deepEqual(pong.result, {});
  const nameless = client.messages.filter(({ id }) => id === null).map(({ error }) => error.code);
  assert.deepEqual(nameless, [-32700, -32600, -32600, -32600]);
  const codes = await Promise.all([1, 2, 3, 4, 6].map(async (id) => (await client.answer(id)).error.code));
  assert.deepEqual(codes, [-32601, -32602, -32602, -32602, -32002]);
  assert.deepEqual(client.garbage, []);
});

Deno.test("B14 serveStdio() takes absent arguments as {} and names the type of wrong ones", async () => {
  await using client = new RawClient();
  await client.open();
  const absent = await client.request("tools/call", { name: "echo" });
  assert.deepEqual(absent.result.structuredContent.args, {});
  for (const [value, type] of [[null, "null"], [[], "array"], ["x", "string"]] as const) {
    const { error } = await client.request("tools/call", { name: "echo", arguments: value });
    assert.equal(error.code, -32602);
    assert.match(error.message, new RegExp(type));
  }
});

Deno.test("B10 quietConsole() keeps what libraries print away from stdout", async () => {
  await using client = new RawClient();
  await client.open();
  assert.equal((await client.request("tools/call", { name: "prints" })).result.content[0].text, "done");
  await client.request("ping");
  assert.deepEqual(client.garbage, []);
});

Deno.test("serveStdio() answers an array of messages with an array where the version has them", async () => {
  await using client = new RawClient();
  await client.open({}, "2025-03-26");
  await client.sendText(JSON.stringify([
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", method: "notifications/whatever" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "slow", arguments: { ms: 50 } } },
    { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "wait" } },
    initialize(4),
    17,
  ]));
  await client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } });
  const { batch } = await client.find((message) => message.batch);
  const byId = new Map(batch.map((answer: { id: unknown }) => [answer.id, answer]));
  assert.deepEqual([...byId.keys()].sort(), [1, 2, 4, null].sort());
  assert.deepEqual((await client.request("ping")).result, {});
});

Deno.test("serveStdio() gives answers that are under way when the input ends, and exits with 0", async () => {
  await using client = new RawClient();
  await client.send(initialize(1));
  await client.send({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "slow", arguments: { ms: 700 } },
  });
  await client.endInput();
  assert.equal(await client.exit(), 0);
  assert.equal(client.messages.find(({ id }) => id === 2)?.result.content[0].text, "slept");
});

Deno.test("serveStdio() aborts a call that does not end after the input has, and exits with 0", async () => {
  await using dir = await tempDir();
  await using client = new RawClient({ drainMs: 200 });
  await client.open();
  const file = `${dir.path}/aborted`;
  await client.send({
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "wait", arguments: { file } },
  });
  await client.request("ping");
  await client.endInput();
  assert.equal(await client.exit(), 0);
});

Deno.test("serveStdio() exits with 0 when there is no input at all", async () => {
  await using client = new RawClient();
  await client.endInput();
  assert.equal(await client.exit(), 0);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`serveStdio() ends with 0 on ${signal}, also while a call runs`, async () => {
    await using client = new RawClient();
    await client.open();
    await client.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "wait" } });
    await client.request("ping");
    client.child.kill(signal);
    assert.equal(await client.exit(), 0);
  });
}

Deno.test("serveStdio() ends when nobody reads its answers any more", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", STDIO_FIXTURE],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const send = (message: object) => writer.write(new TextEncoder().encode(JSON.stringify(message) + "\n"));
  const reader = child.stdout.getReader();
  await send(initialize(1));
  await reader.read();
  await reader.cancel();
  await send({ jsonrpc: "2.0", id: 2, method: "ping" });
  assert.equal((await child.status).code, 0);
  await writer.close().catch(() => {});
});

Deno.test("B12 serveStdio() ends when its parent was killed, though the input stays open", async () => {
  await using dir = await tempDir();
  // Somebody else holds the pipe to the server's input, so its end is never seen.
  const hold = `mkfifo "$1/in"; exec 8<>"$1/in"; echo "$2" >&8; echo >"$1/held"; sleep 600 & wait`;
  const serve = `"$2" run -A "$3" <"$1/in" >"$1/out" 2>/dev/null & echo $! >"$1/pid"; wait`;
  const quiet = { stdin: "null", stdout: "null", stderr: "null" } as const;
  const holder = new Deno.Command("setsid", {
    args: ["sh", "-c", hold, "sh", dir.path, JSON.stringify(initialize(1))],
    ...quiet,
  }).spawn();
  try {
    await waitFor(() => textOf(`${dir.path}/held`));
    const shell = new Deno.Command("sh", {
      args: ["-c", serve, "sh", dir.path, Deno.execPath(), STDIO_FIXTURE],
      ...quiet,
    }).spawn();
    const answer = await waitFor(() => textOf(`${dir.path}/out`), { timeoutMs: 30_000 });
    assert.equal(JSON.parse(answer).id, 1);
    const pid = Number(await Deno.readTextFile(`${dir.path}/pid`));
    assert.ok(await isAlive(pid), "the server runs while its parent does");
    shell.kill("SIGKILL");
    await shell.status;
    await waitFor(async () => !await isAlive(pid), { timeoutMs: 30_000 });
  } finally {
    Deno.kill(-holder.pid, "SIGKILL");
    await holder.status;
  }
});

function textOf(path: string): Promise<string> {
  return Deno.readTextFile(path).catch(() => "");
}

async function isAlive(pid: number): Promise<boolean> {
  const status = await textOf(`/proc/${pid}/status`);
  return status !== "" && !/^State:\s+Z/m.test(status);
}
