import assert from "node:assert/strict";
import { openHttp } from "../../fixtures/mcp/open_http.ts";
import { waitFor } from "../../support/wait_for.ts";
import { initialize } from "../_raw_client.ts";
import { eventsIn, MCP_HEADERS, messagesOf, openSession, post, StreamReader } from "./_requests.ts";

const call = (id: number | string, name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

Deno.test("/mcp gives a client whose stream broke the answer that it missed", async () => {
  await using http = await openHttp();
  const session = { "mcp-session-id": await openSession(http.url), "mcp-protocol-version": "2025-11-25" };
  const first = new StreamReader(await post(`${http.url}/mcp`, call(7, "slow", { ms: 300 }), session));
  const [, lastEventId = ""] = await first.until(/^id: (\S+)/m);
  await first.cancel();
  await waitFor(() => http.fixture.protocol.running.count === 0);
  const resumed = await fetch(`${http.url}/mcp`, {
    headers: { ...MCP_HEADERS, ...session, "last-event-id": lastEventId },
  });
  const [message] = await messagesOf(resumed);
  assert.deepEqual([message.id, message.result.content[0].text], [7, "slept"]);
});

Deno.test("/mcp gives a client that comes back while the call runs the answer on the new stream", async () => {
  await using http = await openHttp();
  const session = { "mcp-session-id": await openSession(http.url), "mcp-protocol-version": "2025-11-25" };
  const first = new StreamReader(await post(`${http.url}/mcp`, call(7, "slow", { ms: 1_500 }), session));
  const [, lastEventId = ""] = await first.until(/^id: (\S+)/m);
  await first.cancel();
  const resumed = await fetch(`${http.url}/mcp`, {
    headers: { ...MCP_HEADERS, ...session, "last-event-id": lastEventId },
  });
  assert.equal((await messagesOf(resumed))[0].id, 7);
});

Deno.test("/mcp refuses an event id that it never gave", async () => {
  await using http = await openHttp();
  const session = { "mcp-session-id": await openSession(http.url) };
  for (const id of ["x", "x:99999", "_GET_stream:0"]) {
    const response = await fetch(`${http.url}/mcp`, {
      headers: { ...MCP_HEADERS, ...session, "last-event-id": id },
    });
    await response.text();
    assert.equal(response.status, 400, id);
  }
});

Deno.test("/mcp forgets a session that its client deleted, with what it ran", async () => {
  await using http = await openHttp();
  const session = { "mcp-session-id": await openSession(http.url) };
  const running = await post(`${http.url}/mcp`, call(7, "wait"), session);
  await waitFor(() => http.fixture.protocol.running.count === 1);
  const deleted = await fetch(`${http.url}/mcp`, { method: "DELETE", headers: session });
  assert.equal(deleted.status, 200);
  await Promise.allSettled([running.text(), deleted.text()]);
  await waitFor(() => http.fixture.protocol.running.count === 0);
  const after = await post(`${http.url}/mcp`, call(8, "echo"), session);
  assert.equal(after.status, 404);
  await after.text();
  assert.equal(http.fixture.sessions.size, 0);
});

Deno.test("/mcp leaves no session behind after a first request that it refused", async () => {
  await using http = await openHttp();
  const response = await fetch(`${http.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/html" },
    body: JSON.stringify(initialize(1)),
  });
  assert.equal(response.status, 406);
  await response.text();
  assert.equal(http.fixture.sessions.size, 0);
});

Deno.test("/mcp tells a client that opens its stream late of changes that came before", async () => {
  await using http = await openHttp();
  const session = { "mcp-session-id": await openSession(http.url) };
  await messagesOf(await post(`${http.url}/mcp`, call(7, "add_tool", { name: "made" }), session));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stream = new StreamReader(
    await fetch(`${http.url}/mcp`, { headers: { ...MCP_HEADERS, ...session } }),
  );
  await stream.until(/notifications\/tools\/list_changed/);
  await stream.cancel();
});

Deno.test("/mcp bounds the number of sessions and says when to come back", async () => {
  await using http = await openHttp({ limits: { sessions: 2 } });
  await openSession(http.url);
  await openSession(http.url);
  const third = await post(`${http.url}/mcp`, initialize(1));
  await third.text();
  assert.deepEqual([third.status, third.headers.get("retry-after")], [503, "60"]);
});

Deno.test("/mcp keeps the active skills of clients apart", async () => {
  await using http = await openHttp();
  const [a, b] = await Promise.all([openSession(http.url), openSession(http.url)]);
  const list = async (id: string) => {
    const request = { jsonrpc: "2.0", id: 5, method: "tools/list" };
    const [message] = await messagesOf(await post(`${http.url}/mcp`, request, { "mcp-session-id": id }));
    return message.result.tools.map(({ name }: { name: string }) => name);
  };
  await messagesOf(
    await post(`${http.url}/mcp`, call(1, "add_tool", { name: "made" }), { "mcp-session-id": a }),
  );
  await messagesOf(
    await post(`${http.url}/mcp`, call(2, "activate", { name: "made" }), { "mcp-session-id": a }),
  );
  assert.ok((await list(a)).includes("made"));
  assert.ok(!(await list(b)).includes("made"));
});

Deno.test("100 clients at once with equal ids each get their own answers", async () => {
  await using http = await openHttp();
  await Promise.all(Array.from({ length: 100 }, async (_, client) => {
    const session = { "mcp-session-id": await openSession(http.url) };
    for (let id = 1; id <= 3; id++) {
      const [message] = await messagesOf(
        await post(`${http.url}/mcp`, call(id, "echo", { client, id }), session),
      );
      assert.equal(message.id, id);
      assert.deepEqual(JSON.parse(message.result.content[0].text), { client, id });
    }
  }));
});

Deno.test("B18 /sse opens with the right headers, shows signs of life, and sends a large event as one", async () => {
  await using http = await openHttp({ limits: { keepAliveMs: 50 } });
  const response = await fetch(`${http.url}/sse`);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("x-accel-buffering"), "no");
  assert.match(response.headers.get("cache-control") ?? "", /no-cache.*no-transform/);
  const stream = new StreamReader(response);
  const [, endpoint = ""] = await stream.until(/^data: (\S+)$/m);
  await stream.until(/^: keepalive$/m);
  const accepted = await post(http.url + endpoint, call(1, "big", { bytes: 1_000_000 }));
  assert.deepEqual([accepted.status, await accepted.text()], [202, "Accepted"]);
  await stream.until(/"id":1\}\n\n/);
  const [event] = eventsIn(stream.text).filter(({ event }) => event === "message");
  assert.equal(JSON.parse(event?.data ?? "").result.content[0].text.length, 1_000_000);
  await stream.cancel();
});

Deno.test("B19 /sse forgets sessions whose clients cut the connection", async () => {
  await using http = await openHttp();
  const sessions = async () => (await (await fetch(`${http.url}/health`)).json()).sessions;
  const readers: StreamReader[] = [];
  for (let n = 0; n < 200; n++) {
    const stream = new StreamReader(await fetch(`${http.url}/sse`));
    const [, endpoint = ""] = await stream.until(/^data: (\S+)$/m);
    await (await post(http.url + endpoint, initialize(1))).text();
    readers.push(stream);
  }
  assert.equal(await sessions(), 200);
  await Promise.all(readers.map((reader) => reader.cancel()));
  await waitFor(async () => await sessions() === 0);
  assert.equal(http.fixture.sessions.size, 0);
});
