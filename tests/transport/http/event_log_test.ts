import assert from "node:assert/strict";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { EventLog } from "../../../src/transport/http/event_log.ts";

const message = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: {} });

async function replay(log: EventLog, id: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  await log.replayEventsAfter(id, {
    send: (_id, { id: answered }: JSONRPCMessage & { id?: unknown }) => {
      seen.push(answered);
      return Promise.resolve();
    },
  });
  return seen;
}

Deno.test("EventLog gives what came after an event on its own stream", async () => {
  const log = new EventLog();
  const first = await log.storeEvent("a:1", message(1));
  await log.storeEvent("b", message(2));
  const third = await log.storeEvent("a:1", message(3));
  await log.storeEvent("a:1", message(4));
  assert.deepEqual(await replay(log, first), [3, 4]);
  assert.deepEqual(await replay(log, third), [4]);
  assert.equal(await log.getStreamIdForEventId(first), "a:1");
});

Deno.test("EventLog gives no events that only mark a beginning", async () => {
  const log = new EventLog();
  const start = await log.storeEvent("a", {} as JSONRPCMessage);
  await log.storeEvent("a", {} as JSONRPCMessage);
  await log.storeEvent("a", message(1));
  assert.deepEqual(await replay(log, start), [1]);
});

Deno.test("EventLog keeps a bounded number of events and bytes", async () => {
  const few = new EventLog({ maxEvents: 10 });
  for (let n = 0; n < 100; n++) await few.storeEvent("a", message(n));
  assert.equal(few.size, 10);
  const small = new EventLog({ maxBytes: 1_000 });
  const big: JSONRPCMessage = { jsonrpc: "2.0", id: 1, result: { text: "x".repeat(400) } };
  for (let n = 0; n < 20; n++) await small.storeEvent("a", big);
  assert.equal(small.size, 2);
});

Deno.test("EventLog knows no ids that it never gave", async () => {
  const log = new EventLog();
  await log.storeEvent("a", message(1));
  for (const id of ["", ":", "a", "a:", "a:0", "a:2", "a:-1", "a:1.5", "a:x", ":1"]) {
    assert.equal(await log.getStreamIdForEventId(id), undefined, id);
  }
});
