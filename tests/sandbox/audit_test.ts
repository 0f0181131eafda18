import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeRedactor } from "../../src/base/redact.ts";
import { auditLine } from "../../src/sandbox/audit_line.ts";
import { type AuditLogOptions, openAuditLog } from "../../src/sandbox/audit_log.ts";
import { silentLogger } from "../support/silent_logger.ts";
import { tempDir } from "../support/temp_dir.ts";

const plain = { redact: (text: string) => text };
const open = (folder: string, more: Partial<AuditLogOptions> = {}) =>
  openAuditLog({ folder, logger: silentLogger, ...plain, ...more });

/** All entries of all files, oldest file first. */
async function entries(folder: string): Promise<Record<string, unknown>[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl"));
  const oldestFirst = names.sort((
    a,
    b,
  ) => (a === "audit.jsonl" ? 1 : b === "audit.jsonl" ? -1 : a < b ? -1 : 1));
  const texts = await Promise.all(oldestFirst.map((name) => readFile(join(folder, name), "utf8")));
  for (const text of texts) ok(text.endsWith("\n"));
  return texts.flatMap((text) => text.trimEnd().split("\n")).map((line) => JSON.parse(line));
}

Deno.test("auditLine() is one line of JSON with the time, in snake_case", () => {
  const line = auditLine({ sessionId: "s", durationMs: 1.23456, client: undefined, note: "a\nb" }, plain);
  equal(line.indexOf("\n"), line.length - 1);
  const { time, ...rest } = JSON.parse(line);
  ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
  deepEqual(rest, { session_id: "s", duration_ms: 1.235, note: "a\nb" });
});

Deno.test("auditLine() takes secrets out of values and names, and stays JSON whatever they are", () => {
  const redact = makeRedactor(["hunter22", '"ok"', "null", "time"]);
  const line = auditLine({
    tool: "t",
    arguments: { hunter22: "string", a: { b: 'x hunter22 "ok"' } },
    x: null,
  }, { redact });
  ok(!line.includes("hunter22"), line);
  const { arguments: shape, x, time } = JSON.parse(line);
  deepEqual(shape, { "[secret]": "string", a: { b: "x [secret] [secret]" } });
  equal(x, null);
  ok(time);
});

Deno.test("auditLine() never grows too long", () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`name${i}`, "string"]));
  const line = auditLine({
    tool: "t".repeat(5000),
    arguments: many,
    permissions: { read: Object.keys(many) },
    outcome: "ok",
  }, plain);
  ok(line.length < 20_000, String(line.length));
  const entry = JSON.parse(line);
  equal(entry.arguments, "too long");
  equal(entry.outcome, "ok");
});

Deno.test("record() writes entries in order, into a folder that is made late and read by its owner only", async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, "tools", "audit");
  await using log = open(folder);
  equal(await stat(folder).catch(() => "none"), "none");
  for (let i = 0; i < 500; i++) log.record({ i });
  await log.flush();
  deepEqual((await entries(folder)).map(({ i }) => i), Array.from({ length: 500 }, (_, i) => i));
  equal((await stat(join(folder, "audit.jsonl"))).mode & 0o777, 0o600);
  equal((await stat(folder)).mode & 0o777, 0o700);
});

Deno.test("record() appends to what is there", async () => {
  await using dir = await tempDir();
  for (const run of [1, 2]) {
    await using log = open(dir.path);
    log.record({ run });
  }
  deepEqual((await entries(dir.path)).map(({ run }) => run), [1, 2]);
});

Deno.test("record() begins a new file when one is full, and keeps only so many", async () => {
  await using dir = await tempDir();
  await using log = open(dir.path, { maxBytes: 1000, maxFiles: 3 });
  for (let i = 0; i < 200; i++) {
    log.record({ i });
    if (i % 10 === 9) await log.flush();
  }
  await log.flush();
  const names = (await readdir(dir.path)).filter((name) => name.endsWith(".jsonl"));
  ok(names.length <= 3, names.join());
  for (const name of names) ok((await stat(join(dir.path, name))).size < 2000);
  const kept = (await entries(dir.path)).map(({ i }) => Number(i));
  deepEqual(kept, kept.map((_, index) => 200 - kept.length + index));
  ok(kept.length >= 20 && kept.length < 200, String(kept.length));
});

Deno.test("two servers on one folder neither tear nor lose lines, while files are begun anew", async () => {
  await using dir = await tempDir();
  const servers = ["a", "b", "c"].map((name) => ({
    name,
    log: open(dir.path, { maxBytes: 5000, maxFiles: 1000 }),
  }));
  await Promise.all(servers.map(async ({ name, log }) => {
    for (let i = 0; i < 300; i++) {
      log.record({ name, i, filling: "x".repeat(i % 200) });
      if (i % 7 === 0) await log.flush();
    }
    await log[Symbol.asyncDispose]();
  }));
  const all = await entries(dir.path);
  equal(all.length, 900);
  for (const { name } of servers) {
    const mine = all.filter((entry) => entry.name === name).map(({ i }) => Number(i)).sort((a, b) => a - b);
    deepEqual(mine, Array.from({ length: 300 }, (_, i) => i));
  }
});

Deno.test("record() never throws and warns once when nothing can be written", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "audit"), "a file where the folder should be");
  const warnings: string[] = [];
  await using log = open(join(dir.path, "audit"), {
    logger: { warn: (message) => void warnings.push(message) },
  });
  log.record({ i: 1 });
  await log.flush();
  log.record({ i: 2 });
  log.record({
    get broken(): never {
      throw new Error("no value");
    },
  });
  log.record({ big: 1n });
  await log.flush();
  deepEqual(warnings, ["Cannot write the audit"]);
});

Deno.test("record() goes on once the disk takes lines again", async () => {
  await using dir = await tempDir();
  const folder = join(dir.path, "audit");
  await using log = open(folder);
  await writeFile(folder, "");
  log.record({ i: 1 });
  await log.flush();
  await Deno.remove(folder);
  await mkdir(folder);
  log.record({ i: 2 });
  await log.flush();
  deepEqual((await entries(folder)).map(({ i }) => i), [2]);
});

Deno.test("record() leaves out and counts what a slow disk does not take", async () => {
  await using dir = await tempDir();
  await using log = open(dir.path, { maxBytes: 1e9 });
  // All of it within one turn: the disk has no chance.
  for (let i = 0; i < 10_000; i++) log.record({ i, text: "x".repeat(900) });
  await log.flush();
  const all = await entries(dir.path);
  const leftOut = all.filter((entry) => "left_out" in entry).reduce(
    (sum, entry) => sum + Number(entry.left_out),
    0,
  );
  ok(leftOut > 0);
  equal(all.filter((entry) => "i" in entry).length + leftOut, 10_000);
  match(String(all[0]?.text), /^x+$/);
});
