import assert from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import { checkName, nameFault } from "../../src/tools/names.ts";

const BAD: [name: unknown, why: RegExp][] = [
  ["", /empty/],
  [".", /other characters/],
  ["..", /other characters/],
  ["../../x", /other characters/],
  ["/etc/x", /other characters/],
  ["a/../../b", /other characters/],
  ["C:\\x", /other characters/],
  ["a\0b", /other characters/],
  ["a\nb", /other characters/],
  ["a\n", /other characters/],
  ["a b", /other characters/],
  ["Ünïcode", /other characters/],
  ["$(id)", /other characters/],
  ["CON", /device/],
  ["nul", /device/],
  ["com1", /device/],
  ["LPT9", /device/],
  ["-rf", /begins with -/],
  ["--upload-pack", /begins with -/],
  ["__proto__", /JavaScript/],
  ["constructor", /JavaScript/],
  ["hasOwnProperty", /JavaScript/],
  ["x".repeat(65), /65 characters/],
  [undefined, /not a string/],
  [["x"], /not a string/],
];

for (const [name, why] of BAD) {
  Deno.test(`B49 checkName() refuses ${JSON.stringify(name)}`, () => {
    assert.throws(
      () => checkName(name),
      (error) => error instanceof SkillzError && error.code === "invalid_input" && why.test(error.message),
    );
  });
}

Deno.test("checkName() lets ordinary names through", () => {
  for (
    const name of ["a", "0", "word_count", "Word-Count", "x".repeat(64), "console", "com10", "proto", "a-"]
  ) {
    assert.equal(nameFault(name), undefined, name);
    checkName(name);
  }
});

Deno.test("checkName() keeps reserved names for the server", () => {
  const reservedNames = new Set(["call_tool"]);
  assert.throws(() => checkName("call_tool", { reservedNames }), { code: "conflict" });
  checkName("call_tools", { reservedNames });
});

Deno.test("checkName() never repeats a long name whole, and escapes control characters", () => {
  assert.throws(
    () => checkName("x\u001b[31m" + "y".repeat(5000), { what: "service" }),
    (error) =>
      error instanceof Error && error.message.length < 300 && !error.message.includes("\u001b") &&
      error.message.includes("service"),
  );
});
