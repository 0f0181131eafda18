import assert from "node:assert/strict";
import { findCompiler, type TypeCompiler } from "../../../src/run/code/find_compiler.ts";
import { typeCheck } from "../../../src/run/code/type_check.ts";
import { tempDir } from "../../support/temp_dir.ts";
import { typescriptDeclarations } from "../../../src/run/code/typescript_declarations.ts";

const declarations = typescriptDeclarations([{
  name: "weather",
  description: "Weather now",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  outputSchema: {
    type: "object",
    properties: { temp: { type: "number" }, wind: { type: "number" } },
    required: ["temp"],
  },
}]);

const compilers: TypeCompiler[] = [await findCompiler(() => Promise.resolve(Deno.execPath())), {
  kind: "deno",
  command: Deno.execPath(),
}];

for (const compiler of compilers) {
  const check = (code: string) =>
    typeCheck(code, {
      declarations,
      compiler,
      env: { PATH: "/usr/bin:/bin", HOME: "/nonexistent", DENO_DIR: Deno.env.get("DENO_DIR") ?? "" },
      signal: new AbortController().signal,
    });

  Deno.test(`typeCheck() finds sound code sound with ${compiler.kind}`, async () => {
    assert.deepEqual(
      await check(`const cities = ["Oslo", "Lima"];
const all = await Promise.all(cities.map((city) => tools.weather({ city })));
print(all.length);
const hits = await tools.search("weather");
console.log(hits[0]?.signature);
return { warmest: Math.max(...all.map((w) => w.temp)) };`),
      [],
    );
  });

  Deno.test(`typeCheck() finds what everybody writes sound with ${compiler.kind}`, async () => {
    for (
      const code of [
        `const all = [];\nfor (const city of ["Oslo"]) all.push(await tools.weather({ city }));\nreturn all[0].temp;`,
        `const all = [];\n["Oslo"].forEach((city) => all.push(city));\nreturn all.join();`,
        `let warmest;\nfor (const w of [await tools.weather({ city: "Oslo" })]) warmest = w;\nreturn warmest?.temp;`,
        `let best = null;\nfor (const w of [await tools.weather({ city: "a" })]) if (!best || w.temp > best.temp) best = w;\nreturn best?.temp;`,
        `const byCity = {};\nfor (const city of ["Oslo"]) byCity[city] = await tools.weather({ city });\nreturn byCity;`,
        `try { await tools.weather({ city: "x" }); } catch (error) { return error.message; }`,
        `function twice(x) { return 2 * x; }\nreturn twice((await tools.weather({ city: "x" })).temp);`,
        `await new Promise((go) => setTimeout(go, 5)); console.table([1]);`,
        `const cities = ["Oslo"];\nreturn cities.find((city) => city > "A").length + "a1".match(/\\d/)[0].length;`,
        `return [new Date(), new Date(0)].sort((a, b) => a - b)[1] - new Date(5);`,
        `const w = await tools.weather({ city: "x" });\nreturn w.wind.toFixed(1) + w.wind * 2;`,
        `const { data } = JSON.parse("{}");\nreturn data.map((d) => d.x);`,
      ]
    ) {
      assert.deepEqual(await check(code), [], code);
    }
  });

  Deno.test(`typeCheck() knows what was collected with ${compiler.kind}`, async () => {
    const [fault] = await check(
      `const all = [];\nall.push(await tools.weather({ city: "Oslo" }));\nreturn all[0].tmp;`,
    );
    assert.deepEqual([fault?.line, fault?.column], [3, 15]);
  });

  Deno.test(`typeCheck() names line and column of the given code with ${compiler.kind}`, async () => {
    const faults = await check(`print("x");\nconst w = await tools.weather({ town: 1 });\nreturn w.tmp;`);
    assert.deepEqual(faults.map(({ line, column }) => [line, column]), [[2, 33], [3, 10]]);
    assert.match(faults[0]?.message ?? "", /town/);
    assert.match(faults[1]?.message ?? "", /tmp/);
  });

  Deno.test(`typeCheck() reports unknown tools and syntax errors with ${compiler.kind}`, async () => {
    assert.match((await check("await tools.nothing()"))[0]?.message ?? "", /nothing/);
    assert.equal((await check("const x = ;"))[0]?.line, 1);
  });
}

Deno.test("findCompiler() finds the native compiler here", () => {
  assert.equal(compilers[0]?.kind, "tsc");
});

for (const compiler of compilers) {
  Deno.test(`typeCheck() tells nothing of files that the code may not read with ${compiler.kind}`, async () => {
    await using dir = await tempDir();
    const path = `${dir.path}/secret.ts`;
    await Deno.writeTextFile(path, `export const KEY = "canary-text" as const;\n`);
    for (
      const code of [
        `}; import { KEY } from "${path}"; const n: number = KEY; {`,
        `}; import { KEY } from "file://${path}"; const n: number = KEY; {`,
        `const { KEY } = await import("${path}"); const n: number = KEY;`,
        `const n: (typeof import("${path}"))["KEY"] = 5;`,
        `}\n/// <reference path="${path}" />\nconst n: number = KEY; {`,
      ]
    ) {
      const faults = await typeCheck(code, {
        declarations,
        compiler,
        env: { PATH: "/usr/bin:/bin", HOME: dir.path, DENO_DIR: Deno.env.get("DENO_DIR") ?? "" },
        signal: new AbortController().signal,
      });
      assert.ok(!JSON.stringify(faults).includes("canary"), JSON.stringify(faults));
    }
  });
}
