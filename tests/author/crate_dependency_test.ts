import assert from "node:assert/strict";
import { cargoLine, parseCrate, parseCrates } from "../../src/author/rust/crate_dependency.ts";

Deno.test("parseCrate() reads names, versions and features", () => {
  const line = (text: string) => cargoLine(parseCrate(text));
  assert.equal(line("regex"), 'regex = { version = "*" }');
  assert.equal(line("rand@0.8"), 'rand = { version = "0.8" }');
  assert.equal(line("serde@1.0[derive, rc]"), 'serde = { version = "1.0", features = ["derive","rc"] }');
  assert.equal(line("a_b@>=1.2, <2"), 'a_b = { version = ">=1.2, <2" }');
  assert.equal(line("x@=1.2.3-rc.1"), 'x = { version = "=1.2.3-rc.1" }');
  assert.equal(
    line("chrono[default-features=false,std]"),
    'chrono = { version = "*", default-features = false, features = ["std"] }',
  );
});

Deno.test("B45 parseCrate() refuses what is no crate of the registry", () => {
  const bad = [
    "",
    "--config=x",
    "-Z x",
    "../x",
    "/tmp/x",
    "git+https://example.com/x",
    "x@path:..",
    'x@1", path = "/tmp',
    "x\ny",
    'x[a"b]',
    "x@1[a]]",
    "x = 1",
    "x@",
  ];
  for (const text of bad) assert.throws(() => parseCrate(text), /Cannot use dependency/, text);
});

Deno.test("parseCrates() sorts, and refuses a crate named twice", () => {
  assert.deepEqual(parseCrates(["b", "a"]).map(({ name }) => name), ["a", "b"]);
  assert.throws(() => parseCrates(["serde_json", "serde-json@1"]), /named twice/);
});
