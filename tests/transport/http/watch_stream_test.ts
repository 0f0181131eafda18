import assert from "node:assert/strict";
import { watchStream } from "../../../src/transport/http/watch_stream.ts";
import { waitFor } from "../../support/wait_for.ts";

function world(unreadBytes = 1_000) {
  let ends = 0;
  let cancelled = false;
  const source = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => source.resolve(controller),
    cancel: () => {
      cancelled = true;
    },
  });
  const response = watchStream(new Response(body, { status: 201, headers: { "x-a": "b" } }), {
    unreadBytes,
    onEnd: () => ends++,
  });
  return { response, source: source.promise, ends: () => ends, cancelled: () => cancelled };
}

Deno.test("watchStream() hands on status, headers, and every byte, and tells the end once", async () => {
  const { response, source, ends } = world();
  const controller = await source;
  for (const text of ["a", "b", "c"]) controller.enqueue(new TextEncoder().encode(text));
  controller.close();
  assert.deepEqual([response.status, response.headers.get("x-a")], [201, "b"]);
  assert.equal(await response.text(), "abc");
  assert.equal(ends(), 1);
});

Deno.test("watchStream() tells the end when the client leaves, and ends the source", async () => {
  const { response, ends, cancelled } = world();
  await response.body?.cancel();
  assert.equal(ends(), 1);
  assert.ok(cancelled());
});

Deno.test("watchStream() cuts a stream whose client does not read", async () => {
  const { response, source, ends, cancelled } = world(1_000);
  const controller = await source;
  controller.enqueue(new Uint8Array(600));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(ends(), 0);
  controller.enqueue(new Uint8Array(600));
  await waitFor(() => ends() === 1 && cancelled());
  await assert.rejects(response.arrayBuffer());
});

Deno.test("watchStream() tells the end of a response without a body at once", () => {
  let ended = false;
  watchStream(new Response(null, { status: 204 }), { unreadBytes: 1, onEnd: () => ended = true });
  assert.ok(ended);
});
