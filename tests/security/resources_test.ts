import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { denoFlags } from "../../src/sandbox/deno_flags.ts";
import { needs } from "../support/needs.ts";
import { type Bench, openBench } from "../support/sandboxed.ts";
import { waitFor } from "../support/wait_for.ts";

/** Attacks that use things up; each ends by a limit, and the machine stays as it was. */
const MODES = [
  { mode: "bubblewrap", program: "bwrap" },
  { mode: "nsjail", program: "nsjail" },
  { mode: "firejail", program: "firejail" },
  { mode: "none", program: "sh" },
] as const;

/** Processes of the machine whose command line holds `mark`. */
async function processesWith(mark: string): Promise<number[]> {
  const pids = (await readdir("/proc")).map(Number).filter((pid) => pid > 0 && pid !== Deno.pid);
  const found = await Promise.all(pids.map(async (pid) => {
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z");
    return line.includes(mark) && !/\) Z/.test(state) ? [pid] : [];
  }));
  return found.flat();
}

async function gone(mark: string): Promise<void> {
  await waitFor(async () => (await processesWith(mark)).length === 0, { what: `the end of ${mark}` });
}

async function runDeno(bench: Bench, { code, limits }: { code: string; limits: { memory_mb: number } }) {
  const entry = join(bench.tool, "main.ts");
  await writeFile(entry, code);
  const flags = denoFlags(await bench.access({}), { dependencies: [], memoryMb: limits.memory_mb });
  return await bench.run({
    kind: "deno",
    command: ["deno", "run", ...flags, entry],
    permissions: {},
    limits,
  });
}

for (const { mode, program } of MODES) {
  Deno.test({
    name: `${mode} ends a fork bomb, and nothing of it is left`,
    ignore: needs(program, "bash") || Deno.build.os !== "linux",
    async fn() {
      await using bench = await openBench(mode);
      const mark = `bomb-${crypto.randomUUID()}`;
      const script = `: ${mark}; f() { f | f & }; f; sleep 5; echo survived`;
      const limits = { processes: 30, timeout_ms: 10_000, cpu_ms: 3000 };
      const { explanation, code } = await bench.run({
        command: ["bash", "-c", script],
        limits,
        permissions: {},
      });
      await gone(mark);
      assert.ok(code === 0 || /^(processes|cpu_ms|memory_mb) /.test(explanation ?? ""), explanation ?? "");
    },
  });

  Deno.test({
    name: `${mode} ends a tool that fills memory by typed arrays, outside of V8's own limit`,
    ignore: needs(program) || Deno.build.os !== "linux",
    async fn() {
      await using bench = await openBench(mode);
      const limits = { memory_mb: 300 };
      const code = `const k = []; for (;;) k.push(new Uint8Array(8 << 20).fill(1));`;
      const greedy = await runDeno(bench, { code, limits });
      assert.match(greedy.explanation ?? greedy.stderr, /^memory_mb 300 exceeded/);
      const modest = await runDeno(bench, {
        code: `console.log(new Uint8Array(64 << 20).fill(1).length)`,
        limits,
      });
      assert.equal(modest.stdout.trim(), String(64 << 20), modest.stderr);
    },
  });

  Deno.test({
    name: `${mode} lets no file grow over its limit, and ends with no file left open`,
    ignore: needs(program, "bash"),
    async fn() {
      await using bench = await openBench(mode);
      const limits = { file_bytes: 1 << 20 };
      const script = `head -c 100000 /dev/zero > small && echo fine; head -c 100000000 /dev/zero > big`;
      const result = await bench.run({ command: ["bash", "-c", script], limits, permissions: {} });
      assert.equal(result.stdout, "fine\n");
      assert.match(result.explanation ?? result.stderr, /^file_bytes 1048576 exceeded/);
      assert.ok((await stat(join(bench.scratch, "big"))).size <= 1 << 20);
    },
  });

  Deno.test({
    name: `${mode} leaves no grandchild that ignores SIGTERM and left its process group`,
    ignore: needs(program, "bash") || Deno.build.os !== "linux",
    async fn() {
      await using bench = await openBench(mode);
      const mark = `ghost-${crypto.randomUUID()}`;
      const ghost = `trap "" TERM HUP INT; while :; do sleep 1; done; : ${mark}`;
      const script = `setsid bash -c '${ghost}' > /dev/null 2>&1 < /dev/null & echo left`;
      const result = await bench.run({ command: ["bash", "-c", script], permissions: {} });
      assert.equal(result.stdout, "left\n");
      await gone(mark);
    },
  });
}

Deno.test({
  name: "bubblewrap and nsjail bound what a tool can put into shared memory",
  ignore: needs("bwrap", "nsjail"),
  async fn() {
    for (const mode of ["bubblewrap", "nsjail"] as const) {
      await using bench = await openBench(mode);
      const script =
        `head -c 1000 /dev/zero > /dev/shm/a && echo fine; head -c 90000000 /dev/zero > /dev/shm/b`;
      const { stdout, stderr } = await bench.run({
        command: ["sh", "-c", script],
        permissions: {},
        limits: { file_bytes: 1e9 },
      });
      assert.equal(stdout, "fine\n");
      assert.match(stderr, /No space left/, mode);
    }
  },
});
