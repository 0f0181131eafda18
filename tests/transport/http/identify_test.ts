import assert from "node:assert/strict";
import { openHttp } from "../../fixtures/mcp/open_http.ts";
import { openSession, post } from "./_requests.ts";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

Deno.test("identifyByToken() lets in who shows the token, on every path, and nobody else", async () => {
  await using http = await openHttp({ authToken: "s3cret" });
  const status = async (path: string, authorization?: string) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = path === "/sse"
      ? await fetch(http.url + path, { headers })
      : await post(http.url + path, ping, headers);
    await response.body?.cancel();
    if (response.status === 401) assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer /);
    return response.status;
  };
  const wrong = [
    undefined,
    "",
    "Bearer",
    "Bearer wrong",
    "Bearer s3cret2",
    "Bearer s3cre",
    "Basic s3cret",
    "s3cret",
  ];
  for (const path of ["/mcp", "/message", "/sse"]) {
    for (const value of wrong) assert.equal(await status(path, value), 401, `${path} ${value}`);
  }
  assert.equal(await status("/message", "Bearer s3cret"), 200);
  assert.equal(await status("/message", "bearer s3cret"), 200);
  assert.equal(await status("/sse", "Bearer s3cret"), 200);
  const health = await fetch(`${http.url}/health`);
  assert.equal(health.status, 200);
  assert.doesNotMatch(await health.text(), /s3cret/);
});

Deno.test("identifyByToken() works for a whole session", async () => {
  await using http = await openHttp({ authToken: "s3cret" });
  const headers = { authorization: "Bearer s3cret" };
  const id = await openSession(http.url, headers);
  const good = await post(`${http.url}/mcp`, ping, { ...headers, "mcp-session-id": id });
  assert.equal(good.status, 200);
  await good.text();
  const bad = await post(`${http.url}/mcp`, ping, { "mcp-session-id": id });
  assert.equal(bad.status, 401);
  await bad.text();
});
