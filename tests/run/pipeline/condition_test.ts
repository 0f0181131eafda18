import assert from "node:assert/strict";
import type { JsonValue } from "../../../src/base/json.ts";
import { SkillzError } from "../../../src/base/errors.ts";
import { parseCondition } from "../../../src/run/pipeline/condition.ts";

const VALUES: Record<string, JsonValue> = {
  "$n": 5,
  "$zero": 0,
  "$text": "abc",
  "$empty": "",
  "$list": [1, { a: [2] }],
  "$same": [1, { a: [2] }],
  "$none": [],
  "$object": {},
  "$no": null,
  "$yes": true,
  "$step.count": 3,
  "${my-step.ok}": true,
};

function holds(text: string): boolean {
  return parseCondition(text).holds((reference) => VALUES[reference.text]);
}

const TRUE = [
  "true",
  "$n",
  "$text",
  "$list",
  "$object",
  "!$zero && !$empty && !$none && !$no && !$missing",
  "$n == 5",
  "$n==5.0&&$n!=6",
  "$n === 5 && $n !== 6",
  "$n >= 5 && $n <= 5 && $n > 4.5 && $n < 5e1",
  "$text == 'abc' && $text == \"abc\"",
  "$text < 'abd'",
  "-1 < 0",
  "'5' != 5",
  "$list == $same",
  "$list != $none",
  "$missing == null",
  "$no == null",
  "!($missing > 1) && !($no <= 1)",
  "false || $yes",
  "true || false && false",
  "!(true && false)",
  "!!$n",
  "$step.count == 3",
  "${my-step.ok}",
  "'it\\'s' == \"it's\" && 'a\\nb' != 'anb'",
  "( ( $n ) )",
];
const FALSE = [
  "false",
  "null",
  "0",
  "''",
  "$zero",
  "$none",
  "$missing",
  "$n == '5'",
  "!$n",
  "false || false",
  "$n > 5",
];

Deno.test("parseCondition() tells what holds", () => {
  for (const text of TRUE) assert.equal(holds(text), true, text);
  for (const text of FALSE) assert.equal(holds(text), false, text);
});

Deno.test("the right side is not looked at when the left decides", () => {
  assert.equal(holds("false && $list > 1"), false);
  assert.equal(holds("true || $list > 1"), true);
  assert.throws(() => holds("true && $list > 1"), /array > number has no order/);
});

const BAD: [text: string, message: RegExp][] = [
  ["", /it ends at character 1, where a value/],
  ["   ", /it ends at character 4/],
  ["$n ==", /it ends at character 6, where a value/],
  ["$n = 5", /"= 5" at character 4/],
  ["$n == 5 6", /there is 6 at character 9, where an operator/],
  ["($n", /it ends at character 4, where "\)"/],
  ["$n)", /there is \) at character 3/],
  ["n == 5", /"n == 5" at character 1/],
  ["$n == abc", /"abc" at character 7/],
  ["$n == 'abc", /"'abc" at character 7/],
  ["1 < 2 < 3", /there is < at character 7/],
  ["$n & 1", /"& 1" at character 4/],
  ["$n; process.exit()", /at character 3/],
  ["constructor", /at character 1/],
  ["${", /reference at character 1/],
  ["1.2.3 == 1", /at character 1/],
  ["$5 == 1", /"\$5 == 1" at character 1/],
  ["!".repeat(1000) + "1", /nested deeper/],
  ["(".repeat(1000) + "1", /nested deeper/],
  ["1 == 1 &&".repeat(1000), /at most 4000/],
];

Deno.test("a condition that can't be read is refused with the position", () => {
  for (const [text, message] of BAD) {
    assert.throws(
      () => parseCondition(text),
      (error) =>
        error instanceof SkillzError && error.code === "invalid_input" && message.test(error.message),
      text,
    );
  }
});

Deno.test("parseCondition() lists what it refers to", () => {
  const { references } = parseCondition("$a.b > 1 && (!${c-d[0]} || $prev == $item)");
  assert.deepEqual(references.map(({ name }) => name), ["a", "c-d", "prev", "item"]);
});
