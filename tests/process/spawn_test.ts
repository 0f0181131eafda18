import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { readLines } from "../../src/process/rpc/lines.ts";
import { spawnProcess } from "../../src/process/spawn.ts";
import { bash, isGone, scriptFixture } from "../support/script_fixture.ts";
import { waitFor } from "../support/wait_for.ts";

Deno.test("spawnProcess() hands over arguments and exactly the environment given", async () => {
  const spec = { ...bash('printf "%s|" "$@"; env -0'), env: { PATH: "/usr/bin:/bin", A: "ä ö" } };
  await using child = spawnProcess({ ...spec, args: [...spec.args, "sh", "a b", "$(id)", ""] });
  const text = await new Response(child.stdout).text();
  const [args, variables] = text.split("||");
  equal(args, "a b|$(id)");
  const names = (variables ?? "").split("\0").map((line) => line.split("=")[0]).filter(Boolean).sort();
  deepEqual(names, ["A", "PATH", "PWD", "SHLVL", "SKILLZ_PROCESS", "_"]);
  ok(variables?.includes("A=ä ö"));
});

Deno.test("spawnProcess() tells the exit code, or the signal that ended it", async () => {
  await using three = spawnProcess(bash("exit 3"));
  deepEqual(await three.status, { code: 3, signal: null });
  await using killed = spawnProcess(bash("kill -9 $$"));
  deepEqual(await killed.status, { code: 137, signal: "SIGKILL" });
});

Deno.test("spawnProcess() tells a missing program from a missing folder", () => {
  const rejects = (spec: Parameters<typeof spawnProcess>[0], text: RegExp) =>
    throws(
      () => spawnProcess(spec),
      (error) => error instanceof SkillzError && error.code === "unavailable" && text.test(error.message),
    );
  const spec = bash("true");
  rejects({ ...spec, command: "no-such-program" }, /^Cannot start "no-such-program": .*not found on PATH$/);
  rejects({ ...spec, command: "/no/such/program" }, /no such program/);
  rejects({ ...spec, cwd: "/no/such/folder" }, /working folder "\/no\/such\/folder" does not exist/);
  rejects({ ...spec, command: "/etc/passwd" }, /not an executable file/);
});

Deno.test("spawnProcess() refuses what the system can't hand over, without repeating it", () => {
  const spec = bash("true");
  throws(() => spawnProcess({ ...spec, args: ["secret\0x"] }), (error) => {
    ok(error instanceof SkillzError);
    equal(error.code, "invalid_input");
    ok(!error.message.includes("secret"));
    return true;
  });
  throws(
    () => spawnProcess({ ...spec, args: ["x".repeat(4_000_000)] }),
    (error) => error instanceof SkillzError && error.code === "limit" && error.message.length < 200,
  );
});

Deno.test("spawnProcess() starts nothing when the signal has aborted", () => {
  throws(
    () => spawnProcess(bash("true"), { signal: AbortSignal.abort() }),
    (error) => error instanceof SkillzError && error.code === "cancelled",
  );
});

Deno.test("spawnProcess() stops the process when the signal aborts", async () => {
  const controller = new AbortController();
  await using child = spawnProcess(bash("sleep 1000"), { signal: controller.signal });
  controller.abort();
  equal((await child.status).signal, "SIGTERM");
});

Deno.test("write() reaches the program, and does nothing once it is closed or gone", async () => {
  await using child = spawnProcess(bash("cat"));
  await child.write("hä\n");
  await child.write(new Uint8Array([111, 107]));
  await child.endInput();
  equal(await new Response(child.stdout).text(), "hä\nok");
  await child.status;
  await child.write("more");
  await child.endInput();
});

Deno.test("write() does not throw when the program has closed its input", async () => {
  await using child = spawnProcess(scriptFixture("closes_stdin.sh"));
  for await (const line of readLines(child.stdout)) {
    equal(line, "closed");
    break;
  }
  await child.write("x".repeat(1_000_000));
  await child.write("y");
});

Deno.test("write() to a program that never reads ends when that is stopped", async () => {
  await using child = spawnProcess(bash("sleep 1000"));
  const writing = child.write("x".repeat(1_000_000));
  await child.stop();
  await writing;
});

Deno.test("an input of null reads as empty", async () => {
  await using child = spawnProcess(bash("cat; echo end"), { stdin: "null" });
  await child.write("nobody reads this");
  equal(await new Response(child.stdout).text(), "end\n");
});

Deno.test("stderr is drained, kept to its end, and forwarded in bounds", async () => {
  const lines: string[] = [];
  await using child = spawnProcess(scriptFixture("floods_stderr.sh"), {
    stderrTailBytes: 1000,
    onStderr: (line) => lines.push(line),
  });
  equal(await new Response(child.stdout).text(), "done\n");
  await child.status;
  equal(child.stderrTail(), `${"x".repeat(999)}\n`);
  equal(lines[0], "line 1");
  ok(lines.every((line) => line.length <= 4097));
  ok(lines.some((line) => /\(\d+ more lines were left out\)/.test(line)) || lines.length > 2000);
});

Deno.test("stderrTail() never begins inside a character", async () => {
  await using child = spawnProcess(bash("printf 'aääää' >&2"), { stderrTailBytes: 3 });
  await child.status;
  equal(child.stderrTail(), "ä");
});

Deno.test("a listener of stderr that throws is no harm", async () => {
  await using child = spawnProcess(bash("echo a >&2; echo b >&2"), {
    onStderr: () => {
      throw new Error("Listener");
    },
  });
  equal((await child.status).code, 0);
  match(child.stderrTail(), /a\nb/);
});

Deno.test("disposing ends a reader of stdout, also while it waits", async () => {
  let rest: Promise<ReadableStreamReadResult<Uint8Array>>;
  let pid: number;
  {
    await using child = spawnProcess(bash("echo one; sleep 1000"));
    pid = child.pid;
    const reader = child.stdout.getReader();
    equal(new TextDecoder().decode((await reader.read()).value), "one\n");
    rest = reader.read();
  }
  equal((await rest).done, true);
  ok(await isGone(pid));
});

Deno.test("disposing is harmless when repeated and when nothing was read", async () => {
  const child = spawnProcess(bash("yes"));
  await Promise.all([child[Symbol.asyncDispose](), child[Symbol.asyncDispose]()]);
  await child[Symbol.asyncDispose]();
  await child.stop();
  await waitFor(() => isGone(child.pid));
});
