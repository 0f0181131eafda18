import assert from "node:assert/strict";
import { EVENTS, lateStream, PADDED_JSON } from "../../../src/transport/http/late_stream.ts";
import { waitFor } from "../../support/wait_for.ts";
import { eventsIn, StreamReader } from "./_requests.ts";

const afterMs = 10;
const later = (response: () => Response, ms = 100) =>
  new Promise<Response>((resolve) => setTimeout(() => resolve(response()), ms));

Deno.test("lateStream() hands on an answer that is quick as it is", async () => {
  const response = await lateStream(() => Promise.resolve(Response.json({ a: 1 }, { status: 400 })), {
    format: EVENTS,
    keepAliveMs: 1_000,
  });
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), { a: 1 });
});

Deno.test("lateStream() opens a stream for an answer that takes long, with signs of life", async () => {
  const response = await lateStream(() => later(() => Response.json({ a: 1 })), {
    format: EVENTS,
    keepAliveMs: 20,
    afterMs,
  });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const text = await response.text();
  assert.match(text, /^: open\n\n: keepalive\n\n/);
  assert.deepEqual(eventsIn(text), [{ id: "", event: "message", data: '{"a":1}' }]);
});

Deno.test("lateStream() hands on the events of an answer that streams itself", async () => {
  const headers = { "content-type": "text/event-stream" };
  const events = "event: message\ndata: 1\n\nevent: message\ndata: 2\n\n";
  const response = await lateStream(() => later(() => new Response(events, { headers })), {
    format: EVENTS,
    keepAliveMs: 1_000,
    afterMs,
  });
  assert.deepEqual(eventsIn(await response.text()).map(({ data }) => data), ["1", "2"]);
});

Deno.test("lateStream() can pad JSON in place of events", async () => {
  const response = await lateStream(() => later(() => Response.json({ a: 1 })), {
    format: PADDED_JSON,
    keepAliveMs: 20,
    afterMs,
  });
  assert.deepEqual(await response.json(), { a: 1 });
});

Deno.test("lateStream() tells the work when its client has left", async () => {
  let left = false;
  const response = await lateStream((signal) => {
    signal.addEventListener("abort", () => left = true, { once: true });
    return later(() => Response.json({}), 300);
  }, { format: EVENTS, keepAliveMs: 20, afterMs });
  const reader = new StreamReader(response);
  await reader.until(/open/);
  await reader.cancel();
  await waitFor(() => left);
  await new Promise((resolve) => setTimeout(resolve, 350));
});

Deno.test("lateStream() ends the stream when the work fails", async () => {
  const fails = () => later(() => Response.json({})).then(() => Promise.reject(new Error("No")));
  const response = await lateStream(fails, { format: EVENTS, keepAliveMs: 1_000, afterMs });
  await assert.rejects(response.text());
});
