import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../src/process/run.ts";
import { denoFlags } from "../../src/sandbox/deno_flags.ts";
import type { Permissions } from "../../src/sandbox/permissions.ts";
import { needs } from "../support/needs.ts";
import { type Bench, type BenchJob, openBench, TEST_PATH } from "../support/sandboxed.ts";

/** Asserts that a job prints `wanted`. */
async function prints(bench: Bench, job: BenchJob, { wanted }: { wanted: string }): Promise<void> {
  const result = await bench.run(job);
  assert.equal(
    result.stdout.trim(),
    wanted,
    `${job.command.join(" ")}: ${result.stderr} ${result.explanation}`,
  );
}

/** A Python environment below the tool's folder; the system's packages (numpy) count as installed in it. */
async function makeVenv(bench: Bench, python: string): Promise<string> {
  const env = join(bench.tool, "env");
  const args = ["-m", "venv", "--without-pip", "--system-site-packages", env];
  const made = await runProcess({ command: python, args, cwd: "/", env: { PATH: TEST_PATH } }, {
    timeoutMs: 60_000,
  });
  assert.equal(made.code, 0, made.stderr);
  return join(env, "bin/python");
}

for (const mode of ["bubblewrap", "firejail", "nsjail"] as const) {
  const program = mode === "bubblewrap" ? "bwrap" : mode;

  Deno.test({
    name: `normal life inside ${mode}: Python with threads, processes, TLS and a compiled package of a venv`,
    ignore: needs(program, "python3"),
    async fn() {
      await using bench = await openBench(mode);
      const code = `import ssl, sqlite3, threading, tempfile, subprocess, multiprocessing.pool
import concurrent.futures as f
ssl.create_default_context()
with f.ProcessPoolExecutor(2) as pool: assert list(pool.map(abs, [-1, -2])) == [1, 2]
with tempfile.NamedTemporaryFile() as t: t.write(b"x")
print(subprocess.run(["sh", "-c", "echo child"], capture_output=True, text=True).stdout)`;
      await prints(bench, { command: ["python3", "-c", code], permissions: {} }, { wanted: "child" });
      const venv = await makeVenv(bench, "python3");
      await prints(bench, { command: [venv, "-c", "import sys; print(sys.prefix)"], permissions: {} }, {
        wanted: join(bench.tool, "env"),
      });
    },
  });

  Deno.test({
    name: `normal life inside ${mode}: numpy`,
    ignore: needs(program) || !(await hasNumpy()),
    async fn() {
      await using bench = await openBench(mode);
      const venv = await makeVenv(bench, "/usr/bin/python3");
      const code = "import numpy; print(int((numpy.ones((50, 50)) @ numpy.ones((50, 50))).sum()))";
      await prints(bench, { command: [venv, "-c", code], permissions: {} }, { wanted: "125000" });
    },
  });

  Deno.test({
    name: `normal life inside ${mode}: Node with a package, Ruby, Perl, PHP, bash`,
    ignore: needs(program, "node", "ruby", "perl", "php", "bash"),
    async fn() {
      await using bench = await openBench(mode);
      await mkdir(join(bench.tool, "node_modules/pad"), { recursive: true });
      await writeFile(
        join(bench.tool, "node_modules/pad/index.js"),
        "module.exports = (x) => x.padStart(3, '.')",
      );
      await writeFile(
        join(bench.tool, "main.js"),
        "console.log(require('pad')('n')); new Worker('1', {eval: true})"
          .replace("new Worker", "new (require('worker_threads').Worker)"),
      );
      await prints(bench, { command: ["node", join(bench.tool, "main.js")], permissions: {} }, {
        wanted: "..n",
      });
      const ruby = `require "json"; require "openssl"; Thread.new { print JSON.generate([1]) }.join`;
      await prints(bench, { command: ["ruby", "-e", ruby], permissions: {} }, { wanted: "[1]" });
      await prints(bench, {
        command: ["perl", "-MJSON::PP", "-e", "print encode_json([1])"],
        permissions: {},
      }, { wanted: "[1]" });
      await prints(bench, { command: ["php", "-r", "echo json_encode([1]);"], permissions: {} }, {
        wanted: "[1]",
      });
      const bash =
        `diff <(echo a) <(echo b) | wc -l; echo x > /dev/stderr; mktemp > /dev/null && date +%Z > /dev/null && id -u`;
      const said = await bench.run({ command: ["bash", "-c", bash], permissions: {} });
      assert.match(said.stdout, /^4\n\w+\n$/, said.stderr);
      assert.equal(said.stderr, "x\n");
    },
  });

  Deno.test({
    name: `normal life inside ${mode}: git when granted to run, in a granted folder`,
    ignore: needs(program, "git", "python3"),
    async fn() {
      await using bench = await openBench(mode);
      const permissions: Permissions = { run: ["git"], write: ["$ROOTS"] };
      const script = `cd ${bench.root} && git init -q . && echo 1 > a && git add a &&
        git -c user.name=t -c user.email=t@example.com commit -qm one && git log --format=%s`;
      await prints(bench, { command: ["sh", "-c", script], permissions }, { wanted: "one" });
      const flags = denoFlags(await bench.access(permissions), { dependencies: [], memoryMb: 256 });
      const entry = join(bench.tool, "main.ts");
      await writeFile(
        entry,
        `const git = new Deno.Command("git", { args: ["--version"] });
        console.log(new TextDecoder().decode((await git.output()).stdout).slice(0, 11))`,
      );
      await prints(bench, { kind: "deno", command: ["deno", "run", ...flags, entry], permissions }, {
        wanted: "git version",
      });
    },
  });

  Deno.test({
    name:
      `normal life inside ${mode}: Deno and Python fetch when all the network is granted, and don't when it is not`,
    ignore: needs(program, "python3"),
    async fn() {
      await using bench = await openBench(mode);
      await using server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        () => new Response("answer"),
      );
      const url = `http://127.0.0.1:${server.addr.port}/`;
      const entry = join(bench.tool, "main.ts");
      await writeFile(entry, `console.log(await (await fetch(${JSON.stringify(url)})).text())`);
      const python = `import urllib.request as r; print(r.urlopen("${url}").read().decode())`;
      for (const net of [true, undefined] as const) {
        const permissions: Permissions = net === undefined ? {} : { net };
        const flags = denoFlags(await bench.access({ net: true }), { dependencies: [], memoryMb: 256 });
        const results = [
          await bench.run({ kind: "deno", command: ["deno", "run", ...flags, entry], permissions }),
          await bench.run({ command: ["python3", "-c", python], permissions }),
        ];
        for (const { stdout, isolation } of results) {
          assert.equal(stdout.trim(), net ? "answer" : "");
          assert.equal(isolation.network, net ? "all" : "none");
        }
      }
    },
  });
}

async function hasNumpy(): Promise<boolean> {
  const spec = { command: "/usr/bin/python3", args: ["-c", "import numpy"], cwd: "/", env: {} };
  return await runProcess(spec, { timeoutMs: 60_000 }).then(({ code }) => code === 0, () => false);
}
