import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { resultText } from "../../../src/base/tool_result.ts";
import { SkillzError } from "../../../src/base/errors.ts";
import { resolveLimits } from "../../../src/sandbox/limits.ts";
import { fakeContext } from "../../support/fake_caller.ts";
import { needs } from "../../support/needs.ts";
import { waitFor } from "../../support/wait_for.ts";
import { wasmBench } from "./_bench.ts";

const ignore = needs("rustc");
const isLinux = Deno.build.os === "linux";

/** Ids of engine processes that this process has started and that are not zombies. */
async function engines(): Promise<string[]> {
  const found = [];
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (parent === String(Deno.pid) && state !== "Z" && line.includes("wasm/engine")) found.push(pid);
  }
  return found;
}

Deno.test({
  name: "B37 an endless loop ends by cancelling, and other calls answer meanwhile",
  ignore: ignore || !isLinux,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe();
    const cancel = new AbortController();
    const looping = bench.do(tool, "loop", fakeContext({ signal: cancel.signal }));
    await waitFor(async () => (await engines()).length > 0, { timeoutMs: 20_000 });
    assert.equal(await bench.say(tool, "print|here"), "here");
    cancel.abort(new SkillzError("timeout", "Cannot finish: over"));
    await assert.rejects(looping, /Cannot finish: over/);
    // Only the engine of the other call stays.
    await waitFor(async () => (await engines()).length <= 1, { timeoutMs: 20_000 });
  },
});

Deno.test({
  name: "B37 a memory bomb fails with the limit, and so it stays small",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe({ limits: resolveLimits({ memory_mb: 64 }) });
    const before = Deno.memoryUsage().rss;
    const result = await bench.do(tool, "bomb");
    assert.equal(result.isError, true);
    assert.match(resultText(result), /limits.memory_mb is 64/);
    assert.ok(Deno.memoryUsage().rss - before < 100 * 1024 * 1024);
    assert.equal(await bench.say(tool, "memory|20000000"), "20000000");
  },
});

Deno.test({
  name: "B37 twenty endless loops leave no engines",
  ignore: ignore || !isLinux,
  async fn() {
    await using bench = await wasmBench({ maxWorkers: 8 });
    const tool = await bench.probe();
    const signal = AbortSignal.timeout(1500);
    const calls = Array.from({ length: 20 }, () => bench.do(tool, "loop", fakeContext({ signal })));
    const ends = await Promise.allSettled(calls);
    assert.ok(ends.every(({ status }) => status === "rejected"));
    await waitFor(async () => (await engines()).length === 0, { timeoutMs: 20_000 });
    assert.equal(await bench.say(tool, "print|well"), "well");
  },
});

Deno.test({
  name: "limits.cpu_ms ends a module that computes and not one that sleeps",
  ignore: ignore || !isLinux,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe({ limits: resolveLimits({ cpu_ms: 150, timeout_ms: 60_000 }) });
    await bench.say(tool, "print|warm");
    assert.ok(Number(await bench.say(tool, "sleep|400")) >= 400);
    await assert.rejects(bench.do(tool, "loop"), /limits.cpu_ms is 150/);
  },
});

Deno.test({
  name: "a crowd of calls is answered one by one, each with its own",
  ignore,
  async fn() {
    await using bench = await wasmBench({ maxWorkers: 3 });
    const tool = await bench.probe();
    const said = await Promise.all(Array.from({ length: 60 }, (_, i) => bench.say(tool, `print|${i}`)));
    assert.deepEqual(said, Array.from({ length: 60 }, (_, i) => String(i)));
    // Sleepers do not hold up the others beyond the number of engines.
    const slow = [bench.say(tool, "sleep|300"), bench.say(tool, "sleep|300")];
    assert.equal(await bench.say(tool, "print|quick"), "quick");
    await Promise.all(slow);
  },
});

Deno.test({
  name: "a call that is cancelled while it waits for an engine leaves its place",
  ignore,
  async fn() {
    await using bench = await wasmBench({ maxWorkers: 1 });
    const tool = await bench.probe();
    const sleeping = bench.say(tool, "sleep|500");
    const cancel = new AbortController();
    const waiting = bench.do(tool, "print|never", fakeContext({ signal: cancel.signal }));
    cancel.abort(new Error("Gone"));
    await assert.rejects(waiting, /Gone/);
    assert.ok(Number(await sleeping) >= 500);
    assert.equal(await bench.say(tool, "print|next"), "next");
  },
});
