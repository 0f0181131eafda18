import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { okResult } from "../../src/base/tool_result.ts";
import { createLargeResults } from "../../src/run/large_results.ts";
import { tempDir } from "../support/temp_dir.ts";
import { shortenResult } from "../../src/run/shorten_result.ts";

const own = { sessionId: "one", mimeType: "text/plain" };
const reader = { sessionId: "one" };
const maxBytes = 256 * 1024;

Deno.test("LargeResults.read() gives parts that adjoin without losing or repeating a character", async () => {
  await using results = createLargeResults();
  const text = "aé€😀".repeat(50);
  const { id, bytes } = await results.keep(text, own);
  equal(bytes, 10 * 50);
  equal((await results.read(id, reader)).text, text);
  for (const step of [1, 2, 3, 7, 64, 1000]) {
    let joined = "";
    for (let from = 0; from < bytes; from += step) {
      joined += (await results.read(id, { ...reader, from, to: from + step })).text;
    }
    equal(joined, text, `in steps of ${step}`);
  }
  equal((await results.read(id, { ...reader, from: 5000 })).text, "");
  equal((await results.read(id, { ...reader, from: 9, to: 3 })).text, "");
});

Deno.test("LargeResults.read() is for the session that the result was made for", async () => {
  await using results = createLargeResults();
  const { id } = await results.keep("secret", own);
  await rejects(results.read(id, { sessionId: "two" }), /not for you/);
  await rejects(results.read("../etc/passwd", reader), /not kept/);
});

Deno.test("LargeResults keeps results for a time, and drops the oldest for new ones", async () => {
  let now = 0;
  await using results = createLargeResults({ maxBytes: 100, ttlMs: 1000, now: () => now });
  const kept = [];
  for (const letter of ["a", "b", "c"]) kept.push(await results.keep(letter.repeat(40), own));
  const [first, second, third] = kept.map(({ id }) => id);
  await rejects(results.read(first ?? "", reader), /not kept/);
  equal((await results.read(second ?? "", reader)).text, "b".repeat(40));
  const big = await results.keep("d".repeat(500), own);
  equal((await results.read(big.id, reader)).bytes, 500);
  await rejects(results.read(third ?? "", reader), /not kept/);
  now = 1000;
  await rejects(results.read(big.id, reader), /not kept/);
});

Deno.test("LargeResults leaves no file behind, and lets nobody else read while it has some", async () => {
  await using dir = await tempDir();
  const names = async () => (await readdir(dir.path, { recursive: true })).length;
  {
    await using results = createLargeResults({ parent: () => Promise.resolve(dir.path) });
    equal(await names(), 0);
    await results.keep("x", own);
    const [folder = ""] = await readdir(dir.path);
    equal(((await Deno.stat(join(dir.path, folder))).mode ?? 0) & 0o077, 0);
    equal(await names(), 2);
  }
  equal(await names(), 0);
});

Deno.test("shortenResult() leaves results up to the limit as they are", async () => {
  await using results = createLargeResults();
  const result = okResult("x".repeat(100), { x: "x".repeat(80) });
  equal(await shortenResult(result, { results, sessionId: "one", maxBytes: 100 }), result);
});

Deno.test("shortenResult() lets a megabyte pass when nothing else is said", async () => {
  await using results = createLargeResults();
  const result = okResult("x".repeat(1_500_000));
  equal(await shortenResult(result, { results, sessionId: "one" }), result);
});

Deno.test("shortenResult() replaces a long text by its beginning and a link, other blocks stay", async () => {
  await using results = createLargeResults();
  const text = "0123456789".repeat(100_000);
  const image = { type: "image", data: "", mimeType: "image/png" };
  const short = await shortenResult({ content: [{ type: "text", text }, image], isError: true }, {
    results,
    sessionId: "one",
    maxBytes,
  });
  equal(short.isError, true);
  const [preview, link, kept] = short.content;
  match(String(preview?.text), /^0123456789.*\n… these are the first 4096 of 1000000 bytes\./s);
  equal(link?.type, "resource_link");
  equal(link?.size, 1_000_000);
  deepEqual(kept, image);
  const id = String(link?.uri).replace("skillz://results/", "");
  equal((await results.read(id, reader)).text, text);
  equal(short.structuredContent, undefined);
});

Deno.test("shortenResult() keeps one copy when the text is the data", async () => {
  await using results = createLargeResults();
  const data = { rows: Array.from({ length: 50_000 }, (_, n) => ({ n })) };
  const short = await shortenResult(okResult(JSON.stringify(data), data), {
    results,
    sessionId: "one",
    maxBytes,
  });
  const link = short.content[1];
  equal(link?.mimeType, "application/json");
  equal(short.structuredContent?.resource, link?.uri);
  equal(short.structuredContent?.truncated, true);
});

Deno.test("shortenResult() replaces long fields of the data, and keeps the short ones", async () => {
  await using results = createLargeResults();
  const rows = Array.from({ length: 50_000 }, (_, n) => ({ n }));
  const data = { success: true, output: "x".repeat(300_000), steps: rows, count: rows.length };
  const short = await shortenResult(okResult("done", data), { results, sessionId: "one", maxBytes });
  deepEqual(short.content, okResult("done").content);
  const { success, count, output, steps } = short.structuredContent as Record<
    string,
    Record<string, unknown>
  >;
  deepEqual([success, count], [true, 50_000]);
  equal(output?.preview, "x".repeat(1000));
  const id = String(steps?.resource).replace("skillz://results/", "");
  deepEqual(JSON.parse((await results.read(id, reader)).text), rows);
});

Deno.test("shortenResult() puts data of many short fields into one resource", async () => {
  await using results = createLargeResults();
  const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field ${n}`, "x".repeat(20)]));
  const short = await shortenResult(okResult("many", data), { results, sessionId: "one", maxBytes });
  ok(JSON.stringify(short).length < 1000);
  equal(short.structuredContent?.mimeType, "application/json");
});
