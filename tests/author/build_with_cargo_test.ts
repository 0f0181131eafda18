import assert from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { fakeContext } from "../support/fake_caller.ts";
import { needs } from "../support/needs.ts";
import { wasmBench } from "../run/wasm/_bench.ts";
import { rustBench } from "./_rust_bench.ts";

const ignore = needs("cargo");

Deno.test({
  name: "buildRust() builds with crates, keeps the lock, and compiles each crate once",
  ignore,
  async fn() {
    await using bench = await rustBench();
    const told: string[] = [];
    const progress = (message: string) => void told.push(message);
    const crates = ["serde_json", "serde@1.0"];
    const code = (name: string) =>
      `fn main() {
    let args: serde_json::Value = skillz::parse();
    skillz::answer(&serde_json::json!({ "${name}": args["n"].as_i64().unwrap() + 1 }));
}`;
    const first = await bench.build(code("one"), crates, { progress });
    assert.match(first.lock ?? "", /name = "serde_json"/);
    assert.ok(told.includes("Compiling my tool!"), told.join("\n"));
    assert.ok(told.some((line) => /^Compiling serde_json v1/.test(line)));

    told.length = 0;
    const again = await bench.build(code("two"), crates, { progress });
    assert.deepEqual(told.filter((line) => line.startsWith("Compiling")), ["Compiling my tool!"]);
    assert.equal(again.lock, first.lock);

    await using runner = await wasmBench();
    const [one, two] = [await runner.tool(first.wasm), await runner.tool(again.wasm)];
    const call = async (tool: typeof one) =>
      (await runner.runner.run(tool, { kind: "tool", arguments: { n: 41 } }, fakeContext()))
        .structuredContent;
    assert.deepEqual([await call(one), await call(two)], [{ one: 42 }, { two: 42 }]);

    await assert.rejects(
      bench.build("fn main() {\n    let x: u8 = serde_json::json!(1);\n}", crates),
      /E0308[^]*src\.rs:2:17/,
    );
    const invalid = await runner.runner.run(one, { kind: "tool", arguments: {} }, fakeContext());
    assert.equal(invalid.isError, true);
    assert.deepEqual(await bench.leftovers(), []);
  },
});

Deno.test({
  name: "buildRust() says shortly what is wrong with a crate, and leaves nothing",
  ignore,
  async fn() {
    await using bench = await rustBench();
    const cases: [string, RegExp][] = [
      ["no-such-crate-zzz-123", /there is no crate "no-such-crate-zzz-123"$/],
      ["itoa@99", /no version matches itoa = "\^99", there are 1\./],
      ["itoa@1[nonono]", /crate itoa has no feature "nonono"/],
      ["socket2@0.5", /crate socket2 does not build for wasm32-wasip1\nerror/],
    ];
    for (const [crate, message] of cases) {
      await assert.rejects(bench.build("fn main() {}", [crate]), (error: unknown) => {
        assert.ok(error instanceof SkillzError);
        assert.equal(error.code, "failed");
        assert.match(error.message, message);
        assert.ok(error.message.length < 10_000);
        assert.doesNotMatch(error.message, /registry\/src/);
        return true;
      });
    }
    assert.deepEqual(await bench.leftovers(), []);
  },
});

Deno.test({
  name: "buildRust() keeps to a given lock as far as it fits",
  ignore,
  async fn() {
    await using bench = await rustBench();
    const old = await bench.build('fn main() { println!("{}", itoa::Buffer::new().format(1)); }', [
      "itoa@=1.0.9",
    ]);
    const { deps } = bench;
    const { buildRust } = await import("../../src/author/build_rust.ts");
    const code = 'fn main() { println!("{}", itoa::Buffer::new().format(2)); }';
    const lock = old.lock ?? "";
    const kept = await buildRust({ name: "t", code, dependencies: ["itoa@1"], lock }, deps, {
      timeoutMs: 300_000,
    });
    assert.match(kept.lock ?? "", /name = "itoa"\nversion = "1\.0\.9"/);
    const moved = await buildRust({ name: "t", code, dependencies: ["itoa@=1.0.11"], lock }, deps, {
      timeoutMs: 300_000,
    });
    assert.match(moved.lock ?? "", /name = "itoa"\nversion = "1\.0\.11"/);
  },
});

Deno.test({
  name: "buildRust() builds with crates inside bubblewrap, where compiling has no network",
  ignore: ignore || needs("bwrap"),
  async fn() {
    await using bench = await rustBench("bubblewrap");
    const code = 'fn main() { println!("{}", itoa::Buffer::new().format(1)); }';
    assert.ok((await bench.build(code, ["itoa"])).wasm.length > 1000);
  },
});
