import { deepEqual, equal, ok, throws } from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { isExactNumber, parseExact, roundNumbers } from "../../../src/process/rpc/json_numbers.ts";

Deno.test("B07 parseExact() keeps the digits of whole numbers beyond 2^53", () => {
  const text =
    '{"n":9007199254740993,"m":[-12345678901234567890],"s":"9007199254740993","k":9007199254740991}';
  const value = parseExact(text) as JsonObject;
  equal(JSON.stringify(value), text);
  ok(isExactNumber(value.n));
  equal(value.k, 9007199254740991);
  equal(value.s, "9007199254740993");
});

Deno.test("parseExact() leaves every other number as JSON.parse gives it", () => {
  const text = '{"a":0.12345678901234567,"b":1e300,"c":1774232524389,"d":-0,"e":1234567890123456.5}';
  deepEqual(parseExact(text), JSON.parse(text));
});

Deno.test("parseExact() refuses what is no JSON, with and without long digits", () => {
  throws(() => parseExact("{"), SyntaxError);
  throws(() => parseExact("[1234567890123456789"), SyntaxError);
});

Deno.test("parseExact() makes own properties of every name", () => {
  const value = parseExact('{"__proto__":{"x":1},"n":12345678901234567890}') as JsonObject;
  ok(Object.hasOwn(value, "__proto__"));
  equal(value.x, undefined);
});

Deno.test("roundNumbers() gives plain numbers throughout", () => {
  const value = parseExact('{"n":9007199254740993,"list":[{"m":12345678901234567890}],"t":"x","u":null}');
  deepEqual(roundNumbers(value), {
    n: 9007199254740992,
    list: [{ m: 12345678901234567000 }],
    t: "x",
    u: null,
  });
});
