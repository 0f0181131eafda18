import assert from "node:assert/strict";
import { readDiagnostics, shortened } from "../../src/author/rust/diagnostics.ts";

const OUTPUT = `   Compiling tool-x v1.0.0 (/x)
warning: unused variable: \`x\`
 --> src.rs:1:16
  |
1 | fn main(){ let x = 1; }

error[E0308]: mismatched types
 --> src.rs:2:15
  |
2 |  let x: u32 = "a";

error: expected one of \`!\`
 --> src.rs:3:1

error: aborting due to 2 previous errors; 1 warning emitted

Some errors have detailed explanations: E0308, E0425.
For more information about an error, try \`rustc --explain E0308\`.
warning: \`tool-x\` (bin "tool-x") generated 1 warning
error: could not compile \`tool-x\` (bin "tool-x") due to 2 previous errors; 1 warning emitted
`;

Deno.test("readDiagnostics() keeps the messages and leaves out progress and summaries", () => {
  const { errors, warnings, crate } = readDiagnostics(OUTPUT);
  assert.equal(crate, "tool-x");
  assert.deepEqual(errors, [
    'error[E0308]: mismatched types\n --> src.rs:2:15\n  |\n2 |  let x: u32 = "a";',
    "error: expected one of `!`\n --> src.rs:3:1",
  ]);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /^warning: unused variable/);
});

Deno.test("shortened() shows the first messages whole and counts the others", () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `error: number ${i}\n --> src.rs:${i}:1`);
  const text = shortened(many);
  assert.ok(text.startsWith("error: number 0\n"));
  assert.match(text, /… and 9980 more$/);
  const long = shortened(["x".repeat(100_000), "y"]);
  assert.ok(long.length < 10_000);
});
