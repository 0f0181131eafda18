import assert from "node:assert/strict";
import { type InputLine, readLines } from "../../../src/transport/stdio/line_reader.ts";

async function read(chunks: readonly (string | Uint8Array)[], maxBytes = 100): Promise<InputLine[]> {
  const encoder = new TextEncoder();
  const bytes = chunks.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  return await Array.fromAsync(readLines(ReadableStream.from(bytes), { maxBytes }));
}

const line = (text: string): InputLine => ({ kind: "line", text });

Deno.test("readLines() joins what came in pieces and splits what came together", async () => {
  assert.deepEqual(await read(["a", "b\nc\n", "\nd\n"]), [line("ab"), line("c"), line(""), line("d")]);
});

Deno.test("readLines() gives the last line also without a newline, and nothing for no input", async () => {
  assert.deepEqual(await read(["a\nb"]), [line("a"), line("b")]);
  assert.deepEqual(await read([]), []);
});

Deno.test("readLines() keeps a character whole when it was cut between chunks", async () => {
  const bytes = new TextEncoder().encode("grün 🦕\n");
  const single = [...bytes].map((byte) => new Uint8Array([byte]));
  assert.deepEqual(await read(single), [line("grün 🦕")]);
});

Deno.test("readLines() ends lines at \\n only", async () => {
  assert.deepEqual(await read(["a\u2028b\rc\u0085d\n"]), [line("a\u2028b\rc\u0085d")]);
});

Deno.test("B03 readLines() drops a line that is too long and goes on with the next", async () => {
  const long = "x".repeat(60);
  assert.deepEqual(await read([long, long, long + "\nnext\n"]), [{ kind: "too_long" }, line("next")]);
});

Deno.test("B03 readLines() allows a line of exactly the limit", async () => {
  assert.deepEqual(await read(["x".repeat(100) + "\n"]), [line("x".repeat(100))]);
});

Deno.test("B03 readLines() keeps nothing of an endless line", async () => {
  const chunk = new Uint8Array(1 << 20).fill(120);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (++sent > 300) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const before = Deno.memoryUsage().rss;
  const lines = await Array.fromAsync(readLines(endless, { maxBytes: 1 << 20 }));
  assert.deepEqual(lines, [{ kind: "too_long" }]);
  assert.ok(Deno.memoryUsage().rss - before < 150 << 20, "memory grew with the line");
});

Deno.test("readLines() ends when aborted, although the source goes on", async () => {
  const abort = new AbortController();
  const never = new ReadableStream<Uint8Array>();
  const lines = Array.fromAsync(readLines(never, { maxBytes: 100, signal: abort.signal }));
  abort.abort();
  assert.deepEqual(await lines, []);
});
