import assert from "node:assert/strict";
import { resultText } from "../../../src/base/tool_result.ts";
import { needs } from "../../support/needs.ts";
import { fakeCaller, fakeContext } from "../../support/fake_caller.ts";
import { resolveLimits } from "../../../src/sandbox/limits.ts";
import { wasmBench } from "./_bench.ts";

const ignore = needs("rustc");

Deno.test({
  name: "createWasmRunner() hands the arguments over on stdin, in argv and in SKILLZ_ARGUMENTS",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe();
    assert.equal(await bench.say(tool, "stdin"), '{"do":"stdin"}');
    assert.equal(await bench.say(tool, "argv"), '{"do":"argv"}');
    assert.equal(await bench.say(tool, "env|SKILLZ_ARGUMENTS"), '{"do":"env|SKILLZ_ARGUMENTS"}');
    // The longer in bytes than in characters, the more room it needs.
    const text = "Ünïcödé ✓ 🦀 ".repeat(20);
    const args = { do: "argv", text };
    const said = await bench.runner.run(tool, { kind: "tool", arguments: args }, fakeContext());
    assert.deepEqual(said.structuredContent, args);
  },
});

Deno.test({
  name: "createWasmRunner() gives the environment that is promised and nothing else (B46)",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe({ env: ["SKILLZ_KEY"] });
    assert.equal(await bench.say(tool, "env|SKILLZ_KEY"), "kéy");
    const names = (await bench.say(tool, "all_env")).split("\n").sort();
    assert.deepEqual(names, ["HOME", "LANG", "SKILLZ_ARGUMENTS", "SKILLZ_CALL", "SKILLZ_KEY", "TMPDIR"]);
  },
});

Deno.test({
  name: "createWasmRunner() returns the whole output: without a last newline, 1 MB, 5 MB",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe();
    assert.equal(await bench.say(tool, "print|no newline ✓"), "no newline ✓");
    for (const size of [1_000_000, 5_000_000]) {
      assert.equal((await bench.say(tool, `flood|${size}`)).length, size - 1);
    }
  },
});

Deno.test({
  name: "createWasmRunner() ends a module that writes more than limits.output_bytes",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe({ limits: resolveLimits({ output_bytes: 10_000 }) });
    assert.equal((await bench.say(tool, "flood|10000")).length, 9999);
    const result = await bench.do(tool, "flood|11000");
    assert.equal(result.isError, true);
    assert.match(resultText(result), /limits.output_bytes is 10000/);
  },
});

Deno.test({
  name: "createWasmRunner() makes exit codes, panics and traps failures that show stderr",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe();
    assert.equal((await bench.do(tool, "exit|0")).isError, undefined);
    const exit = await bench.do(tool, "exit|3");
    assert.equal(exit.isError, true);
    assert.match(resultText(exit), /exit code 3\nstderr:\ngoing/);
    assert.deepEqual((exit.structuredContent as { error: { exit_code: number } }).error.exit_code, 3);
    const panic = await bench.do(tool, "panic");
    assert.equal(panic.isError, true);
    assert.match(resultText(panic), /it panicked[^]*at the disco/);
    const full = await bench.do(tool, "recurse");
    assert.match(resultText(full), /trap, the stack is full/);
    assert.equal(await bench.say(tool, "print|still there"), "still there");
  },
});

Deno.test({
  name: "createWasmRunner() gives sleep, clocks and chance",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe();
    assert.ok(Number(await bench.say(tool, "sleep|80")) >= 80);
    const now = Number(await bench.say(tool, "clock"));
    assert.ok(Math.abs(now - Date.now()) < 60_000, String(now));
    const drawn = new Set([await bench.say(tool, "random"), await bench.say(tool, "random")]);
    assert.equal(drawn.size, 2);
  },
});

Deno.test({
  name: "createWasmRunner() keeps nothing from one call to the next (B54)",
  ignore,
  async fn() {
    await using bench = await wasmBench({ maxWorkers: 1 });
    const tool = await bench.probe();
    assert.equal(await bench.say(tool, "write|/tmp/x|secret"), "written");
    assert.match(await bench.say(tool, "read|/tmp/x"), /No such file/);
  },
});

Deno.test({
  name: "createWasmRunner() hands stderr on as it comes and keeps its end",
  ignore,
  async fn() {
    await using bench = await wasmBench();
    const tool = await bench.probe();
    const caller = fakeCaller();
    const args = { do: "stderr|20000" };
    await bench.runner.run(tool, { kind: "tool", arguments: args }, fakeContext({ caller }));
    assert.deepEqual(caller.logged[0], { level: "info", data: "line 0" });
    assert.ok(caller.logged.length < 20_000, "a flood does not reach the client whole");
  },
});
