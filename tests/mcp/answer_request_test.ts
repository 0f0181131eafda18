import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { waitFor } from "../support/wait_for.ts";
import type { Message } from "../transport/_raw_client.ts";
import { StreamClient } from "../transport/_stream_client.ts";

const accept = (content: Record<string, string>) => ({ action: "accept", content });
const textOf = ({ result }: Message): string => result.content[0].text;

async function ask(client: StreamClient, tool: string): Promise<{ state: string; keys: string[] }> {
  const { result } = await client.request("tools/call", { name: tool });
  assert.equal(result.resultType, "input_required");
  return { state: result.requestState, keys: Object.keys(result.inputRequests) };
}

Deno.test("answerRequest() goes through rounds of questions to the result", async () => {
  await using client = new StreamClient();
  const first = await ask(client, "name");
  assert.deepEqual(first.keys, ["name"]);
  const second = await client.request("tools/call", {
    name: "name",
    requestState: first.state,
    inputResponses: { name: accept({ name: "Ada" }) },
  });
  assert.deepEqual(Object.keys(second.result.inputRequests), ["colour"]);
  const third = await client.request("tools/call", {
    name: "name",
    requestState: second.result.requestState,
    inputResponses: { colour: { action: "decline" } },
  });
  assert.deepEqual(JSON.parse(textOf(third)), [accept({ name: "Ada" }), { action: "decline" }]);
});

Deno.test("answerRequest() puts a question again that was not answered", async () => {
  await using client = new StreamClient();
  const { state } = await ask(client, "together");
  const again = await client.request("tools/call", {
    name: "together",
    requestState: state,
    inputResponses: { name: accept({ name: "Ada" }), roots: { nonsense: true } },
  });
  assert.deepEqual(Object.keys(again.result.inputRequests).sort(), ["roots", "sample"]);
});

Deno.test("answerRequest() refuses states that were changed, used up, or are another request's", async () => {
  await using client = new StreamClient();
  const { state } = await ask(client, "name");
  const inputResponses = { name: accept({ name: "Ada" }) };
  const [head = "", body = "", mac = ""] = state.split(".");
  const forged = [head, body, mac.split("").reverse().join("")].join(".");
  const wrong = [
    { name: "name", requestState: forged, inputResponses },
    { name: "name", requestState: "x", inputResponses },
    { name: "name", requestState: 5, inputResponses },
    { name: "sample_or_not", requestState: state, inputResponses },
    { name: "name", arguments: { other: 1 }, requestState: state, inputResponses },
  ];
  for (const params of wrong) assert.equal((await client.request("tools/call", params)).error?.code, -32602);
  const prompt = { name: "greet", arguments: { who: "x" }, requestState: state };
  assert.equal((await client.request("prompts/get", prompt)).error?.code, -32602);
  const next = await client.request("tools/call", { name: "name", requestState: state, inputResponses });
  assert.deepEqual(Object.keys(next.result.inputRequests), ["colour"]);
  // The first state is of a round that is over; the call still waits for the second.
  const replay = await client.request("tools/call", { name: "name", requestState: state, inputResponses });
  assert.equal(replay.error.code, -32602);
  const last = {
    name: "name",
    requestState: next.result.requestState,
    inputResponses: { colour: accept({}) },
  };
  assert.equal((await client.request("tools/call", last)).result.isError, undefined);
});

Deno.test("answerRequest() starts a harmless call anew when the one that asked is gone, and no other", async () => {
  const stateKey = crypto.getRandomValues(new Uint8Array(32));
  const states = new Map<string, string>();
  {
    await using before = new StreamClient({ stateKey });
    for (const tool of ["together", "name"]) states.set(tool, (await ask(before, tool)).state);
  }
  await using after = new StreamClient({ stateKey });
  const sample = { role: "assistant", model: "m", content: { type: "text", text: "Paris" } };
  const harmless = await after.request("tools/call", {
    name: "together",
    requestState: states.get("together") ?? "",
    inputResponses: { name: accept({ name: "Ada" }), sample, roots: { roots: [] } },
  });
  assert.deepEqual(JSON.parse(textOf(harmless)), [accept({ name: "Ada" }), sample, { roots: [] }]);
  const harmful = await after.request("tools/call", {
    name: "name",
    requestState: states.get("name") ?? "",
    inputResponses: { name: accept({ name: "Ada" }) },
  });
  assert.equal(harmful.result.isError, true);
  assert.match(textOf(harmful), /the call that asked is no longer there/);
});

Deno.test("answerRequest() takes answers that come before the question", async () => {
  await using client = new StreamClient();
  const { result } = await client.request("tools/call", {
    name: "name",
    inputResponses: { name: accept({ name: "Ada" }) },
  });
  assert.deepEqual(Object.keys(result.inputRequests), ["colour"]);
});

Deno.test("B15 answerRequest() reports progress under the token of the request that is answered now", async () => {
  await using client = new StreamClient();
  const call = async (token: string, params: JsonObject) =>
    (await client.request("tools/call", { name: "name", ...params }, { progressToken: token })).result;
  const first = await call("t1", {});
  const second = await call("t2", {
    requestState: first.requestState,
    inputResponses: { name: accept({ name: "Ada" }) },
  });
  await call("t3", {
    requestState: second.requestState,
    inputResponses: { colour: accept({ colour: "green" }) },
  });
  const notes = client.messages.filter(({ method }) => method === "notifications/progress");
  const seen = notes.map(({ params }) => [params.progressToken, params.progress]);
  assert.deepEqual(seen, [["t1", 1], ["t2", 2], ["t3", 3]]);
});

Deno.test("answerRequest() cancels a call that goes on after an answer", async () => {
  await using client = new StreamClient();
  const { state } = await ask(client, "name_then_wait");
  const id = await client.begin("tools/call", {
    name: "name_then_wait",
    requestState: state,
    inputResponses: { name: accept({ name: "Ada" }) },
  });
  await client.request("tools/list");
  await client.send({ method: "notifications/cancelled", params: { requestId: id } });
  const count = await waitFor(async () => {
    const answer = await client.request("tools/call", { name: "aborted_count" });
    return Number(textOf(answer)) > 0 && textOf(answer);
  });
  assert.equal(count, "1");
  assert.ok(!client.messages.some((message) => message.id === id));
});

Deno.test("answerRequest() ends the calls that wait when their client is gone", async () => {
  const client = new StreamClient();
  await ask(client, "name_then_wait");
  const { fixture } = client;
  assert.equal(fixture.sessions.size, 1);
  await client[Symbol.asyncDispose]();
  assert.equal(fixture.sessions.size, 0);
});

Deno.test("a resource that is not there has the newer era's code", async () => {
  await using client = new StreamClient();
  const { error } = await client.request("resources/read", { uri: "skillz://none" });
  assert.deepEqual([error.code, error.data.uri], [-32602, "skillz://none"]);
});
