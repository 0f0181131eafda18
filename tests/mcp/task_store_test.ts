import assert from "node:assert/strict";
import { okResult } from "../../src/base/tool_result.ts";
import { ClientCaller } from "../../src/mcp/client_caller.ts";
import { ParkedCall } from "../../src/mcp/parked_call.ts";
import type { ClientCall } from "../../src/mcp/parking_lot.ts";
import { RunningCalls } from "../../src/mcp/running_calls.ts";
import { Session } from "../../src/mcp/session.ts";
import { TaskStore } from "../../src/mcp/task_store.ts";
import { waitFor } from "../support/wait_for.ts";

function parked(sessionId: string, run: (signal: AbortSignal) => Promise<unknown>): ClientCall {
  const session = new Session({ id: sessionId, era: "modern", principal: sessionId, active: [] });
  const call = new ParkedCall<unknown>((self) => run(self.signal));
  return { call, caller: new ClientCaller({ session, declared: {}, asker: call, asksRoots: false }) };
}

const forever = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
const project = (result: object) => result;

Deno.test("TaskStore gives a task to the session that began it and to no other", () => {
  using store = new TaskStore({ running: new RunningCalls() });
  const task = store.begin(parked("ann", forever), project);
  assert.equal(store.get(task.id, "ann"), task);
  assert.equal(store.get(task.id, "bob"), undefined);
});

Deno.test("TaskStore forgets a task after its time and ends it", async () => {
  const running = new RunningCalls();
  using store = new TaskStore({ running, ttlMs: 20 });
  const task = store.begin(parked("ann", forever), project);
  assert.equal(running.count, 1);
  await waitFor(() => store.get(task.id, "ann") === undefined);
  assert.equal(task.status, "cancelled");
  await waitFor(() => running.count === 0);
});

Deno.test("TaskStore keeps what a task came to until its time is over", async () => {
  using store = new TaskStore({ running: new RunningCalls() });
  const task = store.begin(parked("ann", () => Promise.resolve(okResult("done"))), project);
  await waitFor(() => task.status === "completed");
  assert.equal(store.get(task.id, "ann"), task);
});

Deno.test("TaskStore refuses more tasks than it should keep, and ends the call", async () => {
  using store = new TaskStore({ running: new RunningCalls(), max: 1 });
  store.begin(parked("ann", forever), project);
  const one = parked("ann", forever);
  assert.throws(() => store.begin(one, project), /at most 1/);
  await assert.rejects(one.call.outcome, /at most 1/);
});

Deno.test("TaskStore ends the tasks of a session that is gone, and only those", () => {
  using store = new TaskStore({ running: new RunningCalls() });
  const hers = store.begin(parked("ann", forever), project);
  const his = store.begin(parked("bob", forever), project);
  store.abandon("ann");
  assert.deepEqual([hers.status, his.status], ["cancelled", "working"]);
});
