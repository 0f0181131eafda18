import { deepEqual, equal, match } from "node:assert/strict";
import { resultText } from "../../../src/base/tool_result.ts";
import { needs } from "../../support/needs.ts";
import { codeApp } from "./_code_app.ts";

Deno.test("run() gives what TypeScript code returns and prints, and counts its calls", async () => {
  await using app = await codeApp({ tools: ["weather"] });
  const result = await app.run(`interface City { name: string }
const cities: City[] = [{ name: "Oslo" }, { name: "Lima" }];
const all = await Promise.all(cities.map(({ name }) => tools.weather({ city: name })));
print("cities:", all.length, { first: all[0] });
return all.map((one) => one.temp);`);
  equal(result.isError, undefined, resultText(result));
  deepEqual(result.structuredContent, {
    success: true,
    output: 'cities: 2 {"first":{"city":"Oslo","temp":4}}\n',
    result: [4, 4],
    tool_calls: 2,
    tool_bytes: 2 * '{"city":"Oslo","temp":4}'.length,
  });
  equal(
    resultText(result),
    'cities: 2 {"first":{"city":"Oslo","temp":4}}\n[4,4]\n[2 tool calls returned 48 bytes that stayed out of the conversation]',
  );
});

Deno.test("run() reaches tools by quoted names, with names of variables that are only known at run time", async () => {
  await using app = await codeApp({ tools: ["odd-name", "texts"] });
  const code = `const name = "te" + "xts";
const tools2 = tools;
return [await tools["odd-name"]({ a: [1] }), await tools2[name]({ n: 2 }), await tools.texts()];`;
  for (const language of ["typescript", "javascript"]) {
    const { structuredContent } = await app.run(code, { language });
    deepEqual(structuredContent?.result, [{ got: { a: [1] } }, "text of 2", "text of undefined"]);
  }
});

Deno.test("run() lets code have variables named like what it is given", async () => {
  await using app = await codeApp();
  const { structuredContent } = await app.run("const print = 1, console = 2; return print + console;");
  equal(structuredContent?.result, 3);
});

Deno.test("run() searches tools inside the sandbox and shows how to call them", async () => {
  await using app = await codeApp({ tools: ["weather"] });
  const { structuredContent } = await app.run(
    `const [hit] = await tools.search("weather city"); return hit?.signature;`,
  );
  equal(
    structuredContent?.result,
    "/** The tool weather */ weather(args: { city: string }): Promise<{ city: string; temp: number }>",
  );
  equal(structuredContent?.tool_calls, 0);
});

Deno.test("run() calls a tool named search when it is given arguments instead of words", async () => {
  await using app = await codeApp();
  await app.register("search", "({ searched: args.q })");
  const { structuredContent } = await app.run(
    `return [await tools.search({ q: "a" }), (await tools.search("search")).length > 0];`,
  );
  deepEqual(structuredContent?.result, [{ searched: "a" }, true]);
});

Deno.test("run() turns values that JSON can't say into text", async () => {
  await using app = await codeApp();
  const { structuredContent } = await app.run(
    "return { big: 10n, nan: NaN, map: new Map([['a', 1]]), set: new Set([1]), error: new Error('x'), none: undefined };",
    { language: "javascript" },
  );
  deepEqual(structuredContent?.result, {
    big: "10",
    nan: "NaN",
    map: { a: 1 },
    set: [1],
    error: "Error: x",
  });
});

Deno.test("run() says so when code prints and returns nothing", async () => {
  await using app = await codeApp();
  const result = await app.run("const x = 1;");
  equal(resultText(result), "The code printed and returned nothing");
  deepEqual(result.structuredContent, { success: true, output: "", tool_calls: 0, tool_bytes: 0 });
});

Deno.test({
  name: "run() runs Python: the last expression is the result, calls take keywords or a dict",
  ignore: needs("python3"),
  async fn() {
    await using app = await codeApp({ tools: ["weather", "odd-name"] });
    const result = await app.run(
      `def temp(city):
    return tools.weather(city=city)["temp"]

total = sum(temp(city) for city in ["Oslo", "Rome"])
print("total", total)
{"total": total, "odd": tools["odd-name"]({"a": {1}} and {"a": 1}), "hits": tools.search("weather")[0]["signature"]}`,
      { language: "python" },
    );
    equal(result.isError, undefined, resultText(result));
    equal(result.structuredContent?.output, "total 8\n");
    deepEqual(result.structuredContent?.result, {
      total: 8,
      odd: { got: { a: 1 } },
      hits: 'def weather(*, city: str) -> dict: """The tool weather"""',
    });
    equal(result.structuredContent?.tool_calls, 3);
  },
});

Deno.test({
  name: "run() runs Python functions at once with parallel(), in order, and raises their failures",
  ignore: needs("python3"),
  async fn() {
    await using app = await codeApp({ tools: ["texts", "fails"] });
    const ok = await app.run(
      `parallel(*[lambda n=n: tools.texts(n=n) for n in range(20)])`,
      { language: "python" },
    );
    deepEqual(ok.structuredContent?.result, Array.from({ length: 20 }, (_, n) => `text of ${n}`));
    const bad = await app.run(
      `parallel(lambda: tools.texts(n=1), lambda: tools.fails())`,
      { language: "python" },
    );
    equal(bad.isError, true);
    match(resultText(bad), /ToolError: no luck today[^]* \(line 1\)/);
  },
});
