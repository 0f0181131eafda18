import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildRust } from "../../src/author/build_rust.ts";
import { RustToolchains } from "../../src/author/rust/toolchain.ts";
import { SkillzError } from "../../src/base/errors.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { fakeContext } from "../support/fake_caller.ts";
import { needs } from "../support/needs.ts";
import { wasmBench } from "../run/wasm/_bench.ts";
import { rustBench } from "./_rust_bench.ts";

const ignore = needs("rustc");

Deno.test({
  name: "buildRust() builds a program without crates that reads its arguments in two lines",
  ignore,
  async fn() {
    await using bench = await rustBench();
    const { wasm, lock, log } = await bench.build(`fn main() {
    let args = skillz::arguments();
    let sum: i64 = args["n"].as_array().unwrap_or(&[]).iter().filter_map(|n| n.as_i64()).sum();
    println!("{}", skillz::object([("sum", sum.into()), ("text", args["text"].clone()), ("big", args["big"].clone())]));
}`);
    assert.equal(lock, undefined);
    assert.equal(log, "");
    await using runner = await wasmBench();
    const tool = await runner.tool(wasm);
    const args = { n: [1, 2, 39], text: 'é"\\\n🦀', big: 12345678901 };
    const result = await runner.runner.run(tool, { kind: "tool", arguments: args }, fakeContext());
    assert.deepEqual(result.structuredContent, { sum: 42, text: 'é"\\\n🦀', big: 12345678901 });
  },
});

Deno.test({
  name: "buildRust() shows errors with the lines of the given code, and leaves nothing",
  ignore,
  async fn() {
    await using bench = await rustBench();
    await assert.rejects(bench.build('fn main() {\n    let x: u32 = "a";\n}'), (error: unknown) => {
      assert.ok(error instanceof SkillzError);
      assert.equal(error.code, "failed");
      assert.match(error.message, /E0308.*\n *--> src\.rs:2:18\n/);
      return true;
    });
    await assert.rejects(bench.build("fn main( {"), /src\.rs:1/);
    await assert.rejects(
      bench.build("fn helper() {}"),
      (error: unknown) => error instanceof SkillzError && /fn main\(\)/.test(error.hint ?? ""),
    );
    const many = Array.from({ length: 1000 }, (_, i) => `    missing_${i}();`).join("\n");
    await assert.rejects(bench.build(`fn main() {\n${many}\n}`), (error: unknown) => {
      assert.ok(error instanceof SkillzError);
      assert.match(error.message, /missing_0`/);
      assert.match(error.message, /… and 9\d\d more$/);
      assert.ok(error.message.length < 10_000);
      return true;
    });
    assert.deepEqual(await bench.leftovers(), []);
    assert.match((await bench.build("fn main() { let x = 1; }")).log, /unused variable: `x`/);
  },
});

Deno.test({
  name: "buildRust() makes two builds at once",
  ignore,
  async fn() {
    await using bench = await rustBench();
    const code = (text: string) => `fn main() { println!("${text}"); }`;
    const built = await Promise.all(["one", "two", "three"].map((text) => bench.build(code(text))));
    await using runner = await wasmBench();
    const said = await Promise.all(built.map(async ({ wasm }) => {
      const tool = await runner.tool(wasm);
      return resultText(await runner.runner.run(tool, { kind: "tool", arguments: {} }, fakeContext()));
    }));
    assert.deepEqual(said, ["one", "two", "three"]);
  },
});

Deno.test({
  name: "buildRust() ends at its time limit and when it is cancelled, and leaves nothing",
  ignore,
  async fn() {
    await using bench = await rustBench();
    await bench.build("fn main() {}");
    // The compiler evaluates this for ever.
    const endless = "const X: u64 = { let mut i = 0u64; while i < u64::MAX { i += 1; } i };\n" +
      '#[allow(long_running_const_eval)] fn main() { println!("{}", X); }';
    const code = `#![allow(long_running_const_eval)]\n${endless}`;
    await assert.rejects(bench.build(code, [], { timeoutMs: 3000 }), /3000 ms/);
    const cancel = new AbortController();
    const building = bench.build(code, [], {
      signal: cancel.signal,
      progress: () => setTimeout(() => cancel.abort(new SkillzError("cancelled", "Cannot go on")), 500),
    });
    await assert.rejects(building, /Cannot go on/);
    assert.deepEqual(await bench.leftovers(), []);
  },
});

Deno.test("buildRust() tells how to install what is missing", async () => {
  await using bench = await rustBench();
  const home = join(bench.toolsDir, "home");
  await mkdir(home);
  const toolchains = new RustToolchains({ env: { PATH: home }, home });
  await assert.rejects(
    buildRust({ name: "x", code: "fn main() {}" }, { ...bench.deps, toolchains }),
    (error: unknown) => {
      assert.ok(error instanceof SkillzError);
      assert.equal(error.code, "unavailable");
      assert.match(error.hint ?? "", /rustup.* && rustup target add wasm32-wasip1/);
      return true;
    },
  );
});

Deno.test({
  name: "buildRust() works inside bubblewrap",
  ignore: ignore || needs("bwrap"),
  async fn() {
    await using bench = await rustBench("bubblewrap");
    assert.ok(
      (await bench.build('fn main() { println!("{}", skillz::arguments_json()); }')).wasm.length > 1000,
    );
  },
});
