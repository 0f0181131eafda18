import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { SkillzError } from "../../../src/base/errors.ts";
import { readLines, type ReadLinesOptions } from "../../../src/process/rpc/lines.ts";

function streamOf(...chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return ReadableStream.from(
    chunks.map((chunk) => typeof chunk === "string" ? encoder.encode(chunk) : chunk),
  );
}

function linesOf(chunks: (string | Uint8Array)[], options?: ReadLinesOptions): Promise<string[]> {
  return Array.fromAsync(readLines(streamOf(...chunks), options));
}

Deno.test("readLines() cuts at newlines, however the bytes come", async () => {
  deepEqual(await linesOf(["a\nb", "c\n\nd", "", "\ne"]), ["a", "bc", "", "d", "e"]);
  deepEqual(await linesOf([]), []);
  deepEqual(await linesOf(["\n"]), [""]);
});

Deno.test("readLines() leaves out a return before the newline, and no other separator", async () => {
  deepEqual(await linesOf(["a\r\nb\rc\u2028d\u0085e\n", "f\r", "\n"]), ["a", "b\rc\u2028d\u0085e", "f"]);
});

Deno.test("readLines() puts characters together that are cut in two", async () => {
  const bytes = new TextEncoder().encode("ä€😀\nö");
  const singles = Array.from(bytes, (byte) => new Uint8Array([byte]));
  deepEqual(await linesOf(singles), ["ä€😀", "ö"]);
});

Deno.test("readLines() replaces bytes that are no UTF-8, and drops a byte order mark", async () => {
  deepEqual(await linesOf([new Uint8Array([0x61, 0xff, 0x62, 10])]), ["a\ufffdb"]);
  deepEqual(await linesOf(["\ufeff{}\n"]), ["{}"]);
});

Deno.test("B03 readLines() gives a line of 300,000 characters whole", async () => {
  const text = "x".repeat(300_000);
  deepEqual(await linesOf([text.slice(0, 65_536), text.slice(65_536), "\n"]), [text]);
});

Deno.test("B03 readLines() ends at a line that is too long, and names the bound", async () => {
  const lines: string[] = [];
  const reading = async () => {
    for await (const line of readLines(streamOf("ok\n", "12345", "6789", "0x"), { maxLineBytes: 10 })) {
      lines.push(line);
    }
  };
  await rejects(
    reading(),
    (error) => error instanceof SkillzError && error.code === "limit" && /\b10 bytes/.test(error.message),
  );
  deepEqual(lines, ["ok"]);
  deepEqual(await linesOf(["1234567890\n1234567890"], { maxLineBytes: 10 }), ["1234567890", "1234567890"]);
});

Deno.test("readLines() ends at an output that is too long in all", async () => {
  await rejects(
    linesOf(["1234\n", "1234\n", "1"], { maxTotalBytes: 10 }),
    (error) => error instanceof SkillzError && error.code === "limit" && /\b10 bytes/.test(error.message),
  );
  deepEqual(await linesOf(["1234\n", "1234\n"], { maxTotalBytes: 10 }), ["1234", "1234"]);
});

Deno.test("readLines() takes time in proportion to the bytes, also in small pieces", async () => {
  // What grows with the square would need minutes for the larger one.
  const piece = new TextEncoder().encode("x".repeat(256));
  const chunks = Array.from({ length: 40_000 }, () => piece);
  const [line] = await linesOf([...chunks, "\n"]);
  equal(line?.length, 40_000 * 256);
});

Deno.test("readLines() cancels the stream when the loop ends early", async () => {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("line\n")),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const line of readLines(stream)) {
    equal(line, "line");
    break;
  }
  ok(cancelled);
  ok(!stream.locked);
});

Deno.test("readLines() ends quietly when the signal aborts, also while it waits", async () => {
  const controller = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  writer.closed.catch(() => {});
  const reading = Array.fromAsync(readLines(readable, { signal: controller.signal }));
  await writer.write(new TextEncoder().encode("a\nhalf"));
  controller.abort();
  deepEqual(await reading, ["a"]);
  deepEqual(await linesOf(["a\n"], { signal: AbortSignal.abort() }), []);
});
