import assert from "node:assert/strict";
import { SkillzError } from "../../../src/base/errors.ts";
import { openHttp } from "../../fixtures/mcp/open_http.ts";
import { waitFor } from "../../support/wait_for.ts";
import { messagesOf, modernCall, openSession, post } from "./_requests.ts";

const isDenied = (code: string) => (error: unknown) =>
  error instanceof SkillzError && error.code === code && error.hint !== undefined;

Deno.test("serveHttp() picks a free port when asked for 0, and says which", async () => {
  await using http = await openHttp();
  assert.ok(http.server.port > 0);
  assert.equal(http.url, `http://127.0.0.1:${http.server.port}`);
  const health = await (await fetch(`${http.url}/health`)).json();
  assert.deepEqual(Object.keys(health), ["status", "name", "version", "sessions", "running_calls"]);
  assert.deepEqual([health.status, health.sessions], ["ready", 0]);
});

Deno.test("serveHttp() listens on names", async () => {
  await using http = await openHttp({ hostname: "localhost" });
  assert.equal((await (await fetch(`${http.url}/health`)).json()).status, "ready");
});

Deno.test("serveHttp() says so when the port is taken or the name unknown", async () => {
  await using http = await openHttp();
  await assert.rejects(openHttp({ port: http.server.port }), isDenied("unavailable"));
  await assert.rejects(openHttp({ hostname: "no-such-host.invalid" }), /the name is unknown/);
});

Deno.test("B17 serveHttp() refuses an open address without a token, and takes it with one or when told so", async () => {
  for (const hostname of ["0.0.0.0", "::"]) await assert.rejects(openHttp({ hostname }), isDenied("denied"));
  {
    await using http = await openHttp({ hostname: "0.0.0.0", authToken: "secret" });
    const refused = await post(`http://127.0.0.1:${http.server.port}/mcp`, {});
    assert.equal(refused.status, 401);
    await refused.text();
  }
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const logger = { debug: () => {}, info: () => {}, error: () => {}, warn };
  await using http = await openHttp({ hostname: "0.0.0.0", allowAnonymous: true, logger });
  assert.equal(warnings.length, 1);
  await openSession(`http://127.0.0.1:${http.server.port}`);
});

Deno.test("serveHttp() answers the README's curl line in the body", async () => {
  await using http = await openHttp();
  const response = await fetch(`${http.url}/message`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "*/*" },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  });
  assert.equal(response.status, 200);
  const { id, result } = await response.json();
  assert.equal(id, 1);
  assert.ok(result.tools.some(({ name }: { name: string }) => name === "echo"));
  assert.equal(http.fixture.sessions.size, 0);
});

Deno.test("serveHttp() answers a slow single message too, as JSON", async () => {
  await using http = await openHttp();
  const params = { name: "slow", arguments: { ms: 500 } };
  const response = await post(`${http.url}/message`, {
    jsonrpc: "2.0",
    id: "x",
    method: "tools/call",
    params,
  });
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal((await response.json()).result.content[0].text, "slept");
});

Deno.test("serveHttp() has the right status for every wrong request", async () => {
  await using http = await openHttp({ limits: { bodyBytes: 10_000, headerBytes: 8_000 } });
  const status = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(http.url + path, init);
    await response.text();
    return response.status;
  };
  const body = (text: string, headers: Record<string, string> = {}) => ({
    method: "POST",
    body: text,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  assert.equal(await status("/"), 404);
  assert.equal(await status("/mcp/x"), 404);
  assert.equal(await status("/health", { method: "POST" }), 405);
  assert.equal(await status("/sse", { method: "POST", body: "{}" }), 405);
  assert.equal(await status("/message"), 405);
  assert.equal(await status("/mcp", { method: "PUT", body: "{}" }), 405);
  assert.equal(await status("/mcp"), 400);
  assert.equal(await status("/mcp", body(ping)), 400);
  assert.equal(await status("/mcp", body(ping, { "mcp-session-id": "nobody" })), 404);
  assert.equal(await status("/mcp", { method: "DELETE", headers: { "mcp-session-id": "nobody" } }), 404);
  assert.equal(await status("/message?sessionId=nobody", body(ping)), 404);
  assert.equal(await status("/mcp", body("{")), 400);
  assert.equal(await status("/message", body("{")), 400);
  assert.equal(await status("/message", body("[]")), 400);
  assert.equal(await status("/message", body('{"id":1}')), 400);
  assert.equal(await status("/mcp", body(ping, { "content-type": "text/plain" })), 415);
  assert.equal(await status("/mcp", body(`"${"x".repeat(20_000)}"`)), 413);
  assert.equal(await status("/mcp", body(ping, { "x-long": "x".repeat(9_000) })), 431);
  assert.equal(await status(`/mcp?${"x".repeat(9_000)}`), 431);
  assert.equal(await status("/mcp", { ...body(ping), headers: { origin: "http://evil.example" } }), 403);
  assert.equal(await status("/mcp", { method: "OPTIONS", headers: { origin: "http://evil.example" } }), 403);
  assert.equal(await status("/mcp", { method: "OPTIONS", headers: { origin: "http://localhost:1" } }), 204);
});

Deno.test("serveHttp() gives up on a body that does not come", async () => {
  await using http = await openHttp({ limits: { bodyMs: 100 } });
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: http.server.port });
  const head = `POST /message HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"jsonrpc"`;
  await connection.write(new TextEncoder().encode(head));
  const bytes = new Uint8Array(1_000);
  const count = await connection.read(bytes) ?? 0;
  assert.match(new TextDecoder().decode(bytes.subarray(0, count)), /^HTTP\/1\.1 408 /);
});

Deno.test("serveHttp() bounds the requests of each client", async () => {
  await using http = await openHttp({ limits: { requestsPerSecond: 0.01, burst: 3 } });
  const statuses = [];
  for (let n = 0; n < 5; n++) {
    const response = await post(`${http.url}/message`, { jsonrpc: "2.0", id: 1, method: "ping" });
    await response.text();
    statuses.push(response.status);
    if (response.status === 429) assert.equal(response.headers.get("retry-after"), "100");
  }
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
});

Deno.test("serveHttp() ends a call whose client closed the response, however long its body was", async () => {
  await using http = await openHttp();
  for (const padding of [0, 5_000, 50_000]) {
    const { message, headers } = modernCall("wait", { padding: "x".repeat(padding) });
    const leave = new AbortController();
    const running = () => http.fixture.protocol.running.count;
    const response = fetch(`${http.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: JSON.stringify(message),
      signal: leave.signal,
    }).then((answer) => answer.text());
    await waitFor(() => running() === 1);
    leave.abort();
    await assert.rejects(response);
    await waitFor(() => running() === 0);
  }
});

Deno.test("serveHttp() lets a running call end when it stops, and refuses new ones", async () => {
  await using http = await openHttp({ limits: { drainMs: 30_000 } });
  const id = await openSession(http.url);
  const params = { name: "slow", arguments: { ms: 800 } };
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params };
  const answer = await post(`${http.url}/mcp`, call, { "mcp-session-id": id });
  await waitFor(() => http.fixture.protocol.running.count === 1);
  const closed = http.server.close();
  const late = await post(`${http.url}/mcp`, { jsonrpc: "2.0", id: 8, method: "ping" }, {
    "mcp-session-id": id,
  });
  assert.equal(late.status, 503);
  await late.text();
  const [message] = await messagesOf(answer);
  assert.equal(message.result.content[0].text, "slept");
  await closed;
  await http.server.finished;
});

Deno.test("serveHttp() stops although a call does not end and streams are open", async () => {
  await using http = await openHttp();
  const id = await openSession(http.url);
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "wait" } };
  const answer = await post(`${http.url}/mcp`, call, { "mcp-session-id": id });
  const sse = await fetch(`${http.url}/sse`);
  await http.server.close();
  await http.server.finished;
  await Promise.allSettled([answer.text(), sse.text()]);
  assert.equal(http.fixture.sessions.size, 0);
});
