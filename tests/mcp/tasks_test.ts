import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { waitFor } from "../support/wait_for.ts";
import type { Message } from "../transport/_raw_client.ts";
import { StreamClient } from "../transport/_stream_client.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const able = { [CAPABILITIES]: { elicitation: {}, extensions: { [TASKS]: {} } } };
const unable = { [CAPABILITIES]: { elicitation: {} } };
const accept = (content: JsonObject) => ({ action: "accept", content });

async function call(
  client: StreamClient,
  name: string,
  more: JsonObject = {},
  meta: JsonObject = able,
): Promise<Message> {
  return await client.request("tools/call", { name, ...more }, meta);
}

async function get(client: StreamClient, taskId: string): Promise<Message> {
  return (await client.request("tasks/get", { taskId }, able)).result;
}

async function getOnce(client: StreamClient, taskId: string, status: string): Promise<Message> {
  return await waitFor(async () => {
    const task = await get(client, taskId);
    return task.status === status ? task : undefined;
  });
}

Deno.test("a tool that may run as a task does so for clients that know tasks", async () => {
  await using client = new StreamClient();
  const { result } = await call(client, "slow", { arguments: { ms: 300 } });
  assert.equal(result.resultType, "task");
  assert.equal(result.status, "working");
  assert.ok(Number.isInteger(result.ttlMs) && Number.isInteger(result.pollIntervalMs));
  assert.equal((await get(client, result.taskId)).status, "working");
  const done = await getOnce(client, result.taskId, "completed");
  assert.equal(done.result.content[0].text, "slept");
  assert.equal(done.result.resultType, "complete");
  assert.ok(done.lastUpdatedAt > done.createdAt);
});

Deno.test("a tool that may run as a task runs at once for clients that know none", async () => {
  await using client = new StreamClient();
  const { result } = await call(client, "slow", { arguments: { ms: 10 } }, unable);
  assert.deepEqual([result.resultType, result.content[0].text], ["complete", "slept"]);
});

Deno.test("a tool that must run as a task is refused to clients that know none, with the capability named", async () => {
  await using client = new StreamClient();
  const { error } = await call(client, "job", {}, unable);
  assert.equal(error.code, -32021);
  assert.deepEqual(error.data, { requiredCapabilities: { extensions: { [TASKS]: {} } } });
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    assert.equal((await client.request(method, { taskId: "x" }, unable)).error.code, -32021);
  }
});

Deno.test("a tool that must run as a task asks its first questions before the task begins", async () => {
  await using client = new StreamClient();
  const first = await call(client, "job");
  assert.equal(first.result.resultType, "input_required");
  const { result } = await call(client, "job", {
    requestState: first.result.requestState,
    inputResponses: { name: accept({ name: "Ada" }) },
  });
  assert.equal(result.resultType, "task");
  assert.ok(!("requestState" in result) && !("inputRequests" in result));
  const done = await getOnce(client, result.taskId, "completed");
  assert.match(done.result.content[0].text, /Ada/);
});

Deno.test("a task that asks shows its questions, takes answers one by one, and goes on", async () => {
  await using client = new StreamClient();
  const { result } = await call(client, "two_questions");
  const asking = await getOnce(client, result.taskId, "input_required");
  assert.deepEqual(Object.keys(asking.inputRequests), ["first", "second"]);
  assert.equal(asking.inputRequests.first.method, "elicitation/create");
  const answer = async (inputResponses: JsonObject) =>
    (await client.request("tasks/update", { taskId: result.taskId, inputResponses }, able)).result;
  const acknowledged = await answer({ first: accept({ first: "1" }) });
  assert.equal(acknowledged.resultType, "complete");
  const still = await get(client, result.taskId);
  assert.deepEqual([still.status, Object.keys(still.inputRequests)], ["input_required", ["second"]]);
  await answer({ second: accept({ second: "2" }), stranger: accept({}) });
  const done = await getOnce(client, result.taskId, "completed");
  assert.deepEqual(JSON.parse(done.result.content[0].text), [
    accept({ first: "1" }),
    accept({ second: "2" }),
  ]);
});

Deno.test("tasks/cancel ends a task and its work, and does nothing to one that has ended", async () => {
  await using client = new StreamClient();
  const { result } = await call(client, "endless");
  const cancel = () => client.request("tasks/cancel", { taskId: result.taskId }, able);
  for (let n = 0; n < 2; n++) {
    const { resultType, taskId } = (await cancel()).result;
    assert.deepEqual([resultType, taskId], ["complete", undefined]);
    assert.equal((await get(client, result.taskId)).status, "cancelled");
  }
  await waitFor(() => client.fixture.protocol.running.count === 0);
});

Deno.test("a task tells failure of the tool from failure by protocol", async () => {
  await using client = new StreamClient();
  const failed = await call(client, "job_fails", { arguments: {} });
  const byTool = await getOnce(client, failed.result.taskId, "completed");
  assert.equal(byTool.result.isError, true);
  const broken = await call(client, "job_fails", { arguments: { code: -32603 } });
  const byProtocol = await getOnce(client, broken.result.taskId, "failed");
  assert.deepEqual(byProtocol.error, { code: -32603, message: "it broke" });
  assert.equal(byProtocol.result, undefined);
});

Deno.test("a task shows how far it has come", async () => {
  await using client = new StreamClient();
  const { result } = await call(client, "endless");
  const task = await waitFor(async () => {
    const current = await get(client, result.taskId);
    return current.statusMessage ? current : undefined;
  });
  assert.equal(task.statusMessage, "1 of 9: on my way");
});

Deno.test("tasks that never were are unknown, and so are the methods of the older version", async () => {
  await using client = new StreamClient();
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    assert.equal((await client.request(method, { taskId: "x" }, able)).error.code, -32602);
    assert.equal((await client.request(method, {}, able)).error.code, -32602);
  }
  for (const method of ["tasks/list", "tasks/result"]) {
    assert.equal((await client.request(method, { taskId: "x" }, able)).error.code, -32601);
  }
});

Deno.test("a task ends when its client is gone", async () => {
  const client = new StreamClient();
  await call(client, "endless");
  assert.equal(client.fixture.protocol.running.count, 1);
  await client[Symbol.asyncDispose]();
  await waitFor(() => client.fixture.protocol.running.count === 0);
});
