import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { runProcess } from "../../src/process/run.ts";
import { needs } from "../support/needs.ts";
import { bash, isGone, scriptFixture } from "../support/script_fixture.ts";

const LIMIT = { timeoutMs: 30_000 };

Deno.test("runProcess() gives output, the end of stderr, and how it ended", async () => {
  const result = await runProcess(bash("cat; echo err >&2; exit 3"), { ...LIMIT, input: "hä" });
  deepEqual(result, { code: 3, signal: null, stdout: "hä", stderr: "err\n", truncated: false });
});

Deno.test("runProcess() without input gives an empty one", async () => {
  equal((await runProcess(bash("cat; echo end"), LIMIT)).stdout, "end\n");
});

Deno.test("runProcess() keeps the beginning of a long output and reads the rest", async () => {
  const result = await runProcess(bash("seq 1 200000; echo done >&2"), { ...LIMIT, stdoutLimit: 10 });
  deepEqual(result, { code: 0, signal: null, stdout: "1\n2\n3\n4\n5\n", stderr: "done\n", truncated: true });
});

Deno.test("runProcess() cuts at a character, not inside one", async () => {
  const result = await runProcess(bash("printf 'aää'"), { ...LIMIT, stdoutLimit: 4 });
  deepEqual([result.stdout, result.truncated], ["aä", true]);
});

Deno.test("runProcess() hands over megabytes in both directions whole", async () => {
  const input = "0123456789abcde\n".repeat(200_000);
  const { stdout } = await runProcess(bash("cat"), { ...LIMIT, input, stdoutLimit: 10_000_000 });
  ok(stdout === input, "the text came back changed");
});

Deno.test("runProcess() tells lines of both streams as they come", async () => {
  const lines: string[] = [];
  await runProcess(bash("echo a; printf 'b\\r\\nc'; echo d >&2"), {
    ...LIMIT,
    onLine: (line, stream) => lines.push(`${stream} ${line}`),
  });
  deepEqual(lines.sort(), ["stderr d", "stdout a", "stdout b", "stdout c"]);
});

Deno.test("runProcess() ends what takes too long, and names the limit", async () => {
  await rejects(
    runProcess(scriptFixture("term_proof.sh"), { timeoutMs: 50 }),
    (error) => error instanceof SkillzError && error.code === "timeout" && /\b50 ms\b/.test(error.message),
  );
});

Deno.test("runProcess() ends when the signal aborts", async () => {
  const controller = new AbortController();
  const running = runProcess(bash("echo go; sleep 1000"), {
    ...LIMIT,
    signal: controller.signal,
    onLine: () => controller.abort(),
  });
  await rejects(running, (error) => error instanceof SkillzError && error.code === "cancelled");
});

Deno.test(
  "runProcess() is not held up by a daemon that holds the output open",
  { ignore: needs("setsid") },
  async () => {
    const result = await runProcess(bash("setsid sleep 1000 & echo $!"), LIMIT);
    equal(result.code, 0);
    ok(await isGone(Number(result.stdout)));
  },
);

Deno.test("runProcess() throws when there is no such program", async () => {
  await rejects(
    runProcess({ ...bash(""), command: "no-such-program" }, LIMIT),
    (error) => error instanceof SkillzError && error.code === "unavailable",
  );
});
