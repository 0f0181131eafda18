import assert from "node:assert/strict";
import { openChunkReader } from "../../src/base/chunk_reader.ts";

/** A stream of bytes, as those of files and processes are, that says how large the buffers are that it is given. */
function byteStream(chunks: readonly string[], seen: number[] = []): ReadableStream<Uint8Array> {
  const waiting = chunks.map((text) => new TextEncoder().encode(text));
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const { byobRequest } = controller as ReadableByteStreamController;
      const view = byobRequest?.view;
      const next = waiting.shift();
      if (!view || !next) {
        controller.close();
        byobRequest?.respond(0);
        return;
      }
      seen.push(view.byteLength);
      new Uint8Array(view.buffer, view.byteOffset).set(next);
      byobRequest.respond(next.length);
    },
  });
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const reader = openChunkReader(stream);
  const chunks: Uint8Array[] = [];
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) chunks.push(chunk);
  return chunks.map((chunk) => new TextDecoder().decode(chunk));
}

Deno.test("openChunkReader() gives each chunk its own bytes, however few", async () => {
  const seen: number[] = [];
  assert.deepEqual(await readAll(byteStream(["one", "two", "three"], seen)), ["one", "two", "three"]);
  assert.ok(seen.length === 3 && seen.every((size) => size === seen[0]), `buffers of ${seen}`);
});

Deno.test("openChunkReader() reads streams that are no byte streams", async () => {
  const plain = ReadableStream.from([new Uint8Array([97]), new Uint8Array([98])]);
  assert.deepEqual(await readAll(plain), ["a", "b"]);
});

Deno.test("openChunkReader() reads what a process writes", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", 'await Deno.stdout.write(new TextEncoder().encode("ä".repeat(200_000)))'],
    stdout: "piped",
  }).spawn();
  const reader = openChunkReader(child.stdout);
  let size = 0;
  for (let chunk = await reader.read(); chunk; chunk = await reader.read()) size += chunk.length;
  assert.ok((await child.status).success);
  assert.ok(size > 60_000, String(size));
});

Deno.test("cancel() ends a read that is under way, of a stream of bytes and of any other", async () => {
  let cancelled = 0;
  const cancel = () => void cancelled++;
  for (const stream of [new ReadableStream({ type: "bytes", cancel }), new ReadableStream({ cancel })]) {
    const reader = openChunkReader(stream);
    const read = reader.read();
    await reader.cancel();
    await reader.cancel();
    assert.equal(await read, undefined);
  }
  assert.equal(cancelled, 2);
});

Deno.test("openChunkReader() throws when somebody else reads the stream", () => {
  const stream = byteStream([]);
  stream.getReader();
  assert.throws(() => openChunkReader(stream), TypeError);
});
