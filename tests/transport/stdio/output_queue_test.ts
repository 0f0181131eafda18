import assert from "node:assert/strict";
import { OutputQueue } from "../../../src/transport/stdio/output_queue.ts";

function collect(): { sink: WritableStream<Uint8Array>; writes: string[] } {
  const writes: string[] = [];
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      writes.push(new TextDecoder().decode(chunk));
    },
  });
  return { sink, writes };
}

Deno.test("OutputQueue writes each message as one line, in order", async () => {
  const { sink, writes } = collect();
  const queue = new OutputQueue(sink);
  queue.send({ n: 1 });
  queue.send({ text: "a\nb" });
  await queue.idle();
  assert.equal(writes.join(""), '{"n":1}\n{"text":"a\\nb"}\n');
});

Deno.test("OutputQueue shares one write among messages that wait", async () => {
  const { sink, writes } = collect();
  const queue = new OutputQueue(sink);
  for (let n = 0; n < 100; n++) queue.send({ n });
  await queue.idle();
  assert.equal(writes.length, 1);
  assert.equal(writes[0]?.split("\n").length, 101);
});

Deno.test("OutputQueue resolves send() only when the message was written", async () => {
  const gate = Promise.withResolvers<void>();
  let written = false;
  const queue = new OutputQueue(new WritableStream({ write: () => gate.promise }));
  const sent = queue.send({}).then(() => {
    written = true;
  });
  await Promise.resolve();
  assert.equal(written, false);
  gate.resolve();
  await sent;
  assert.equal(written, true);
});

Deno.test("OutputQueue tells once when nobody reads, and swallows what follows", async () => {
  let broken = 0;
  const sink = new WritableStream({ write: () => Promise.reject(new Deno.errors.BrokenPipe()) });
  const queue = new OutputQueue(sink, { onBroken: () => broken++ });
  await queue.send({ n: 1 });
  await queue.send({ n: 2 });
  assert.equal(broken, 1);
});
