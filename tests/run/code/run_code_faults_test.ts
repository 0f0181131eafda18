import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { resultText } from "../../../src/base/tool_result.ts";
import { needs } from "../../support/needs.ts";
import { codeApp } from "./_code_app.ts";

Deno.test("run() runs nothing when types are wrong, and tells line and column of the given code", async () => {
  await using app = await codeApp({ tools: ["weather"] });
  const result = await app.run(
    `await tools.memory({ action: "store", key: "ran", value: 1 });\nreturn await tools.weather({ town: "Oslo" });`,
  );
  equal(result.isError, true);
  match(resultText(result), /^Nothing was run.*\nline 2, column 30: .*'town' does not exist/);
  deepEqual((result.structuredContent?.faults as { line: number }[]).map(({ line }) => line), [2]);
  const { found } = await app.data("memory", { action: "get", key: "ran" });
  equal(found, false);
});

Deno.test("run() names the field of wrong arguments that types did not show", async () => {
  await using app = await codeApp({ tools: ["weather"] });
  for (
    const [code, field] of [
      ["await tools.weather({ city: 5 });", /weather.*city/],
      ["await tools.memory({ action: 'nothing' });", /memory.*action/],
      ["await tools.memory(5);", /arguments.*number.*object/],
    ] as const
  ) {
    const result = await app.run(`\n${code}`, { language: "javascript" });
    equal(result.isError, true);
    match(resultText(result), field);
    match(resultText(result), /\(line 2, column \d+\)/);
  }
});

Deno.test("run() gives a tool's failure to the code, which may go on", async () => {
  await using app = await codeApp({ tools: ["fails"] });
  const caught = await app.run(
    `try { await tools.fails(); } catch (error) { return [error instanceof ToolError, (error as Error).message]; }`,
  );
  deepEqual(caught.structuredContent?.result, [true, 'no luck today (code -32000)\n{"type":"Error"}']);
  const thrown = await app.run(`print("before");\nawait tools.fails();`);
  equal(thrown.isError, true);
  match(resultText(thrown), /^before\nToolError: no luck today[^]*\(line 2, column 1\)/);
});

Deno.test("run() tells the line of an error in the given code", async () => {
  await using app = await codeApp();
  const typed = await app.run(
    `type A = {\n  a: string;\n};\nfunction f(x: any): A {\n  return x.a.b;\n}\nreturn f({});`,
  );
  deepEqual(typed.structuredContent?.error, {
    message: "TypeError: Cannot read properties of undefined (reading 'b')",
    line: 5,
    column: 14,
  });
  const plain = await app.run(`const a = 1;\nnull.x;`, { language: "javascript" });
  match(resultText(plain), /TypeError: .* \(line 2, column 6\)/);
  const broken = await app.run("const a = 1;\nconst b = ;", { language: "javascript" });
  deepEqual(broken.structuredContent?.error, {
    message: "SyntaxError: Expression expected",
    line: 2,
    column: 11,
  });
});

Deno.test("run() tells what was thrown when it is no error", async () => {
  await using app = await codeApp();
  const thrown = async (what: string) => {
    const { structuredContent } = await app.run(`throw ${what}`, { language: "javascript" });
    return (structuredContent?.error as { message: string }).message;
  };
  equal(await thrown(`"text"`), "Thrown: text");
  equal(await thrown("null"), "Thrown: null");
  equal(await thrown("undefined"), "Thrown: undefined");
  equal(await thrown("{ a: 1 }"), 'Thrown: {"a":1}');
});

Deno.test("run() gives the answer although something fails that nobody waits for", async () => {
  await using app = await codeApp();
  const result = await app.run(
    `Promise.reject(new Error("lost")); setTimeout(() => { throw new Error("late") }); await new Promise((go) => setTimeout(go, 20)); return 1;`,
    { language: "javascript" },
  );
  equal(result.structuredContent?.result, 1);
  match(String(result.structuredContent?.output), /waited for it: Error: lost\n.*waited for it: Error: late/);
});

Deno.test("run() says that the code ended its own process", async () => {
  await using app = await codeApp();
  const result = await app.run("print('first'); Deno.exit(3)", { language: "javascript" });
  equal(result.isError, true);
  match(resultText(result), /^first\nThe program ended with exit code 3/);
  equal(result.structuredContent?.output, "first\n");
});

Deno.test({
  name: "run() gives back what was printed once, in order, however much it is",
  ignore: needs("python3"),
  async fn() {
    await using app = await codeApp();
    const numbers = Array.from({ length: 3000 }, (_, n) => `${n}\n`).join("");
    const javascript = await app.run("for (let n = 0; n < 3000; n++) print(n)", { language: "javascript" });
    equal(javascript.structuredContent?.output, numbers);
    const python = await app.run("for n in range(3000): print(n)\nimport os\nos._exit(4)", {
      language: "python",
    });
    match(resultText(python), /exit code 4/);
    const output = String(python.structuredContent?.output);
    // The last few that were not told yet are lost with the process.
    equal(numbers.startsWith(output), true);
    equal(output.split("\n").length > 200, true);
  },
});

Deno.test({
  name: "run() tells the line of an error in Python, and what SystemExit says",
  ignore: needs("python3"),
  async fn() {
    await using app = await codeApp();
    const python = async (code: string) =>
      (await app.run(code, { language: "python" })).structuredContent?.error;
    deepEqual(await python("x = 1\n\n1 / 0"), {
      message: "ZeroDivisionError: division by zero",
      line: 3,
    });
    deepEqual(await python("x = 1\nif x\n  pass"), {
      message: "SyntaxError: expected ':'",
      line: 2,
      column: 5,
    });
    deepEqual(await python("import sys\nsys.exit('no more')"), { message: "SystemExit: no more", line: 2 });
    equal(await python("import sys\nsys.exit(0)"), undefined);
    const wrong = await python("\ntools.memory(action='nothing')") as { message: string; line: number };
    match(wrong.message, /^ToolError: .*action/);
    equal(wrong.line, 2);
    match(String((await python("tools.nothing()") as { message: string }).message), /no such tool/);
  },
});

Deno.test("run() refuses to start with tools that do not exist", async () => {
  await using app = await codeApp();
  const result = await app.run("return 1", { tools: ["list_tools", "nothing", "no_more"] });
  equal(result.isError, true);
  match(resultText(result), /unknown ones: nothing, no_more/);
  await rejects(app.call("execute_code_2", {}), /no tool of that name/);
});
