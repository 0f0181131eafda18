import { deepEqual, equal, match, ok } from "node:assert/strict";
import { createLogger, type CreateLoggerOptions } from "../../src/base/stderr_logger.ts";

/** A logger with what it wrote. */
function record(options: Partial<CreateLoggerOptions> = {}) {
  const chunks: Uint8Array[] = [];
  const logger = createLogger({
    level: "debug",
    write: (bytes) => Promise.resolve(chunks.push(bytes)),
    ...options,
  });
  const lines = async () => {
    await logger.flush();
    return chunks.map((chunk) => new TextDecoder().decode(chunk)).join("").split("\n").slice(0, -1);
  };
  return { logger, lines };
}

Deno.test("createLogger() writes a line with time, level, message and fields", async () => {
  const { logger, lines } = record();
  logger.warn("Tool is slow", { tool: "a", ms: 12, name: "b c", none: undefined });
  const [line = ""] = await lines();
  match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARN {2}Tool is slow tool=a ms=12 name="b c"$/);
});

Deno.test("createLogger() leaves out what is less grave than its level", async () => {
  const { logger, lines } = record({ level: "warn" });
  logger.debug("a");
  logger.info("b");
  logger.warn("c");
  logger.error("d");
  deepEqual((await lines()).map((line) => line.split(" ").at(-1)), ["c", "d"]);
});

Deno.test("createLogger() makes one line of every message, without control characters", async () => {
  const { logger, lines } = record();
  logger.info("a\nb\u001b[31mc\u2028d", { text: "e\nf" });
  const all = await lines();
  equal(all.length, 1);
  ok(all[0]?.endsWith('a\\nb\\u001b[31mc\\u2028d text="e\\nf"'), all[0] ?? "");
});

Deno.test("createLogger() replaces secrets wherever they stand, the longest first", async () => {
  const { logger, lines } = record({ secrets: ["hunter2", "hunter2-long", 'quo"te', "abc", ""] });
  logger.info("key hunter2-long and hunter2, abc", { x: "in hunter2 it", y: 'quo"te', z: "hunter2" });
  const [line = ""] = await lines();
  ok(line.endsWith('key [secret] and [secret], abc x="in [secret] it" y="[secret]" z=[secret]'), line);
});

Deno.test("createLogger() never throws, whatever the stream does", async () => {
  const { logger, lines } = record({ write: () => Promise.reject(new Error("Broken pipe")) });
  logger.error("a");
  logger.error("b");
  deepEqual(await lines(), []);
});

Deno.test("createLogger() keeps the order, and cuts lines that are too long", async () => {
  const { logger, lines } = record();
  for (let index = 0; index < 100; index++) logger.info(`n${index}`);
  logger.info("x".repeat(100_000));
  const all = await lines();
  deepEqual(
    all.slice(0, 100).map((line) => line.split(" ").at(-1)),
    Array.from({ length: 100 }, (_, n) => `n${n}`),
  );
  equal(all[100]?.length, 8193);
});

Deno.test("createLogger() holds a bounded amount for a reader that does not read, and says so later", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const seen: string[] = [];
  const { logger } = record({
    write: async (bytes) => {
      await promise;
      seen.push(new TextDecoder().decode(bytes));
    },
  });
  for (let index = 0; index < 1000; index++) logger.info("x".repeat(5000));
  resolve();
  logger.info("after");
  await logger.flush();
  const text = seen.join("");
  ok(text.length < 2_500_000, `${text.length} characters were kept`);
  match(text, /\(\d{3} more lines were left out\)/);
});
