import assert from "node:assert/strict";
import {
  InMemoryTransport,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { JsonValue } from "../../src/base/json.ts";
import { CAPABILITIES, HANDSHAKE_VERSIONS, INSTRUCTIONS, SERVER_INFO } from "../../src/mcp/identity.ts";
import { initializeReply, readInitialize } from "../../src/mcp/initialize_reply.ts";
import { openFixture } from "../fixtures/mcp/open_fixture.ts";

const clientInfo = { name: "test", version: "1" };

/** What the protocol library answers. */
async function libraryAnswer(params: object): Promise<JSONRPCMessage> {
  using fixture = openFixture();
  const server = fixture.protocol.server(fixture.sessions.open({ era: "legacy", principal: "local" }));
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage>();
  ours.onmessage = resolve;
  await server.connect(theirs);
  await ours.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: { ...params } });
  const answer = await promise;
  await server.close();
  return answer;
}

for (const version of [...HANDSHAKE_VERSIONS, "2026-07-28", "1999-01-01", "nonsense", ""]) {
  Deno.test(`initializeReply() says what the protocol library says when asked for version "${version}"`, async () => {
    const params = {
      protocolVersion: version,
      capabilities: { sampling: {}, roots: { listChanged: true } },
      clientInfo,
    };
    const request = readInitialize(params);
    assert.ok(request);
    const answer = await libraryAnswer(params);
    assert.deepEqual(answer, { jsonrpc: "2.0", id: 1, result: initializeReply(request) });
  });
}

Deno.test("HANDSHAKE_VERSIONS are the library's own, in its order", () => {
  assert.deepEqual(HANDSHAKE_VERSIONS, SUPPORTED_PROTOCOL_VERSIONS);
});

Deno.test("readInitialize() leaves to the library what is not plainly valid", async () => {
  const good = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const bad: JsonValue[] = [
    null,
    [],
    {},
    { ...good, protocolVersion: 5 },
    { ...good, capabilities: null },
    { ...good, capabilities: { sampling: true } },
    { ...good, clientInfo: { name: "x" } },
    { ...good, clientInfo: "x" },
  ];
  assert.ok(readInitialize(good));
  for (const params of bad) assert.equal(readInitialize(params), undefined, JSON.stringify(params));
  const answer = await libraryAnswer({ ...good, clientInfo: { name: "x" } });
  assert.ok("error" in answer);
});

Deno.test("readInitialize() leaves to the library what claims a version without initialize", () => {
  const params: JsonValue = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo,
    _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  };
  assert.equal(readInitialize(params), undefined);
});

Deno.test("the identity says who we are", () => {
  assert.equal(SERVER_INFO.name, "skillz");
  assert.match(SERVER_INFO.version, /^\d+\.\d+\.\d+/);
  assert.ok(INSTRUCTIONS.length > 100 && INSTRUCTIONS.length < 1_000);
  assert.ok(CAPABILITIES.tools.listChanged && CAPABILITIES.resources.subscribe);
});
