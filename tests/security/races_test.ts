import assert from "node:assert/strict";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../../src/process/run.ts";
import { resolveLimits } from "../../src/sandbox/limits.ts";
import { needs } from "../support/needs.ts";
import { openBench, TEST_PATH } from "../support/sandboxed.ts";

Deno.test({
  name: "wrap() refuses a granted folder that was swapped for a link after its access was resolved",
  ignore: needs("bwrap"),
  async fn() {
    await using bench = await openBench("bubblewrap");
    await writeFile(join(bench.home, "diary.txt"), "secret");
    await mkdir(join(bench.root, "out"));
    const access = await bench.access({ write: ["$ROOTS/out"] });
    const job = {
      kind: "script",
      spec: { command: "/bin/cat", args: [join(bench.root, "out/diary.txt")], cwd: "/", env: {} },
      access,
      limits: resolveLimits(),
      scratch: bench.scratch,
    } as const;
    const signal = AbortSignal.timeout(60_000);
    await using fine = await bench.sandbox.wrap(job, { signal });
    assert.equal(fine.isolation.mode, "bubblewrap");
    await rm(join(bench.root, "out"), { recursive: true });
    await symlink(bench.home, join(bench.root, "out"));
    await assert.rejects(() => bench.sandbox.wrap(job, { signal }), {
      code: "denied",
      message: /become a link/,
    });
  },
});

Deno.test({
  name: "no run reads a secret while a granted folder is swapped for a link to it all the time",
  ignore: needs("bwrap"),
  async fn() {
    await using bench = await openBench("bubblewrap");
    const at = (name: string) => join(bench.root, name);
    await writeFile(join(bench.home, "diary.txt"), "secret");
    await mkdir(at("out"));
    await writeFile(at("out/diary.txt"), "mine");
    await symlink(bench.home, at("evil"));
    const over = new AbortController();
    const swapping = (async () => {
      while (!over.signal.aborted) {
        await rename(at("out"), at("kept"));
        await rename(at("evil"), at("out"));
        await new Promise((resolve) => setTimeout(resolve));
        await rename(at("out"), at("evil"));
        await rename(at("kept"), at("out"));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 60; round++) {
      // What the swap makes fail is no escape; what it lets through is.
      const result = await bench.run({
        command: ["cat", at("out/diary.txt")],
        permissions: { read: ["$ROOTS/out"] },
      })
        .then(({ stdout }) => stdout, () => "refused");
      outcomes.set(result, (outcomes.get(result) ?? 0) + 1);
    }
    over.abort();
    await swapping;
    assert.equal(outcomes.get("secret"), undefined, JSON.stringify([...outcomes]));
    assert.ok(outcomes.get("mine"), JSON.stringify([...outcomes]));
  },
});

Deno.test({
  name: "descriptors that the server was started with do not reach a tool",
  ignore: needs("bwrap", "bash"),
  async fn() {
    const child = new URL("./open_descriptors.ts", import.meta.url).pathname;
    for (const mode of ["bubblewrap", "none"]) {
      const script = `exec 5</etc/hostname 47</etc/hostname; exec "$0" run -A "$1" ${mode}`;
      const spec = {
        command: "bash",
        args: ["-c", script, Deno.execPath(), child],
        cwd: "/",
        env: { PATH: TEST_PATH, HOME: "/tmp" },
      };
      const { stdout, stderr } = await runProcess(spec, { timeoutMs: 60_000 });
      assert.equal(stdout, "0 1 2\n", `${mode}: ${stderr}`);
    }
  },
});
