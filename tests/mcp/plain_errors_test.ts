import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { initialize, RawClient } from "../transport/_raw_client.ts";
import { StreamClient } from "../transport/_stream_client.ts";

const BAD_CALLS: readonly [params: JsonObject | undefined, text: string][] = [
  [undefined, "Cannot read tools/call: params: is missing"],
  [{}, "Cannot read tools/call: params.name: is missing"],
  [{ name: 5 }, "Cannot read tools/call: params.name: expected string, received number"],
  [
    { name: "echo", arguments: [] },
    "Cannot read tools/call: params.arguments: expected object, received array",
  ],
];

Deno.test("requests that can't be read are answered in plain words, in the older era", async () => {
  await using client = new RawClient();
  await client.send({ jsonrpc: "2.0", id: "bad", method: "initialize", params: { protocolVersion: 5 } });
  const refused = await client.answer("bad");
  assert.equal(refused.error.code, -32602);
  assert.match(
    refused.error.message,
    /^Cannot read the request: params\.protocolVersion: expected string.*; params\./,
  );
  await client.send(initialize("init"));
  await client.answer("init");
  for (const [params, text] of BAD_CALLS) {
    const { error } = await client.request("tools/call", params);
    assert.deepEqual([error.code, error.message], [-32602, text]);
  }
  await client.send({ jsonrpc: "2.0", id: 71, method: "ping", params: [] });
  assert.match((await client.answer(71)).error.message, /params is an array/);
});

Deno.test("requests that can't be read are answered in plain words, in the newer era", async () => {
  await using client = new StreamClient();
  for (const [params, text] of BAD_CALLS) {
    // The newer era's requests always have parameters: the envelope.
    if (params === undefined) continue;
    const { error } = await client.request("tools/call", params);
    assert.deepEqual([error.code, error.message], [-32602, text]);
  }
});
