import assert from "node:assert/strict";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxChoice } from "../../src/base/sandbox_mode.ts";
import { denoFlags } from "../../src/sandbox/deno_flags.ts";
import { needs } from "../support/needs.ts";
import { openBench, TEST_PATH } from "../support/sandboxed.ts";
import { tempDir } from "../support/temp_dir.ts";

async function fakeProgram(folder: string, options: { name: string; text: string }): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, options.name), options.text);
  await chmod(join(folder, options.name), 0o755);
}

Deno.test("B47 a named sandbox that can't make namespaces fails every call with cause and cure, and is probed once", async () => {
  await using dir = await tempDir();
  const log = join(dir.path, "log");
  const text =
    `#!/bin/sh\necho run >> ${log}\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n`;
  await fakeProgram(dir.path, { name: "bwrap", text });
  for (const choice of ["bubblewrap", "required"] satisfies SandboxChoice[]) {
    await writeFile(log, "");
    await using bench = await openBench(choice, { path: `${dir.path}:${TEST_PATH}` });
    for (let call = 0; call < 3; call++) {
      await assert.rejects(
        bench.run({ command: ["sh", "-c", `echo ran > ${bench.root}/ran`] }),
        (error: Error & { hint?: string }) => {
          assert.match(error.message, /setting up uid map: Permission denied/);
          assert.match(error.hint ?? "", /user namespaces/);
          return true;
        },
      );
    }
    await assert.rejects(readFile(join(bench.root, "ran")));
    assert.equal(await readFile(log, "utf8"), "run\n");
  }
});

Deno.test("B47 a named sandbox that is not there fails every call and says how to get it", async () => {
  await using dir = await tempDir();
  for (const choice of ["bubblewrap", "firejail", "nsjail", "required"] satisfies SandboxChoice[]) {
    await using bench = await openBench(choice, { path: dir.path });
    await assert.rejects(bench.sandbox.mode(), {
      code: "unavailable",
      message: /not on PATH/,
      hint: /[Ii]nstall/,
    }, choice);
  }
});

Deno.test("B47 a sandbox program that runs things without confining them is found out", async () => {
  await using dir = await tempDir();
  const text = `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n`;
  await fakeProgram(dir.path, { name: "bwrap", text });
  await using bench = await openBench("bubblewrap", { path: `${dir.path}:${TEST_PATH}` });
  await assert.rejects(bench.sandbox.mode(), { code: "unavailable", message: /sees files outside/ });
});

Deno.test("openSandbox() falls back to no sandbox under auto, and says so once", async () => {
  await using dir = await tempDir();
  await using bench = await openBench("auto", { path: `${dir.path}:/nowhere` });
  const first = await bench.run({ command: ["/bin/sh", "-c", "echo hi"] });
  assert.equal(first.stdout, "hi\n");
  assert.equal(first.isolation.mode, "none");
  assert.equal(first.isolation.filesystem, "all");
  assert.match(first.warning ?? "", /No sandbox is in force.*bwrap/s);
  assert.equal((await bench.run({ command: ["/bin/sh", "-c", "true"] })).warning, undefined);
});

Deno.test("openSandbox() says nothing of a missing sandbox when none was wanted", async () => {
  await using bench = await openBench("none");
  const result = await bench.run({ command: ["/bin/sh", "-c", "echo hi"] });
  assert.deepEqual([result.stdout, result.warning, result.isolation.mode], ["hi\n", undefined, "none"]);
});

Deno.test("wrap() refuses run and ffi to a Deno tool when no OS sandbox is in force", async () => {
  await using bench = await openBench("none");
  for (const permissions of [{ run: ["git"] }, { ffi: true }]) {
    const job = { kind: "deno", command: ["deno", "--version"], permissions } as const;
    await assert.rejects(bench.run(job), { code: "denied", message: /void/ });
  }
  assert.equal((await bench.run({ kind: "deno", command: ["deno", "--version"], permissions: {} })).code, 0);
});

Deno.test({
  name: "B48 firejail's own noise stays out of the answer, whatever it prints before",
  ignore: needs("firejail"),
  async fn() {
    await using dir = await tempDir();
    const real = TEST_PATH.split(":").map((folder) => join(folder, "firejail"));
    const text =
      `#!/bin/sh\necho 'Parent pid 1, child pid 2'\nprintf '\\033]0;firejail\\007\\n'\necho '{"level":"info"}'\n` +
      `PATH=${TEST_PATH} exec firejail "$@"\n`;
    assert.ok(real.length > 0);
    await fakeProgram(dir.path, { name: "firejail", text });
    await using noisy = await openBench("firejail", { path: `${dir.path}:${TEST_PATH}` });
    const result = await noisy.run({ command: ["sh", "-c", "echo answer"] });
    assert.equal(result.stdout.split("\n").at(-2), "answer");
    await using quiet = await openBench("firejail");
    assert.equal((await quiet.run({ command: ["sh", "-c", "echo answer"] })).stdout, "answer\n");
  },
});

Deno.test({
  name: "B46 nothing of the server's environment gets into a confined child",
  ignore: needs("bwrap"),
  async fn() {
    await using bench = await openBench("bubblewrap");
    const { stdout } = await bench.run({ command: ["sh", "-c", "env"], env: { GIVEN: "yes" } });
    const names = stdout.split("\n").map((line) => line.split("=")[0]).filter(Boolean).sort();
    const given = ["GIVEN", "HOME", "LANG", "PATH", "SKILLZ_PROCESS", "TMPDIR"];
    const shells = ["OLDPWD", "PWD", "SHLVL", "_"];
    assert.deepEqual(names.filter((name) => !shells.includes(name ?? "")), given);
  },
});

Deno.test({
  name: "B50 a Deno tool gets along inside: own flags, LD_LIBRARY_PATH set, home read-only",
  ignore: needs("bwrap"),
  async fn() {
    await using bench = await openBench("bubblewrap");
    const entry = join(bench.tool, "main.ts");
    await writeFile(
      entry,
      `console.log(1 as number); Deno.writeTextFileSync("/tmp/x", ""); Deno.makeTempFileSync();`,
    );
    const flags = denoFlags(await bench.access({}), { dependencies: [], memoryMb: 256 });
    const result = await bench.run({
      kind: "deno",
      command: ["deno", "run", ...flags, entry],
      permissions: {},
      env: { LD_LIBRARY_PATH: "/x", HOME: "/" },
    });
    assert.equal(result.stdout, "1\n", result.stderr);
  },
});

Deno.test({
  name:
    "B54 nothing that one call leaves in /tmp or its folder is seen by the next with another scratch folder",
  ignore: needs("bwrap"),
  async fn() {
    await using first = await openBench("bubblewrap");
    await first.run({ command: ["sh", "-c", "echo 1 > /tmp/left; echo 1 > left; echo 1 > /dev/shm/left"] });
    assert.equal(await readFile(join(first.scratch, "left"), "utf8"), "1\n");
    await using second = await openBench("bubblewrap");
    const { stdout } = await second.run({
      command: ["sh", "-c", "ls /tmp/left left /dev/shm/left 2>/dev/null; echo end"],
    });
    assert.equal(stdout, "end\n");
  },
});

Deno.test({
  name: "wrap() makes granted folders and files that are missing, and shows no missing one to read",
  ignore: needs("bwrap"),
  async fn() {
    await using bench = await openBench("bubblewrap");
    const permissions = { read: ["$ROOTS/absent"], write: ["$ROOTS/out", "$ROOTS/report.txt"] };
    const script = `echo 1 > ${bench.root}/out/a; echo 2 > ${bench.root}/report.txt; ls ${bench.root}`;
    const result = await bench.run({ command: ["sh", "-c", script], permissions });
    assert.equal(result.stdout, "out\nreport.txt\n", result.stderr);
    assert.equal(await readFile(join(bench.root, "report.txt"), "utf8"), "2\n");
  },
});
