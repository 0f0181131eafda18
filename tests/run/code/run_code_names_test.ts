import { deepEqual, equal } from "node:assert/strict";
import { okResult, resultText } from "../../../src/base/tool_result.ts";
import type { CodeTool } from "../../../src/run/code/code_tool.ts";
import { findCompiler } from "../../../src/run/code/find_compiler.ts";
import { createCodeRunner } from "../../../src/run/code/run_code.ts";
import { createScriptRunner } from "../../../src/run/script/create_script_runner.ts";
import { needs } from "../../support/needs.ts";
import { bench, testContext } from "../_fixture.ts";

const HOSTILE = `*/ }; evil(); /* """ \\ \u2028 \${x} @ts-ignore`;
const object = { type: "object" };

/** A runner over tools that answer with their own name and arguments. */
async function runnerOver(tools: readonly CodeTool[]) {
  await using undo = new AsyncDisposableStack();
  const place = undo.use(await bench());
  const runner = undo.use(createCodeRunner({
    places: [place.toolsDir],
    tools: () => tools,
    callTool: (name, args) => Promise.resolve(okResult(name, { called: name, args })),
    script: (host) => createScriptRunner({ ...place.deps, host }),
    compiler: () => findCompiler(() => Promise.resolve(Deno.execPath())),
    compilerEnvironment: { PATH: Deno.env.get("PATH") ?? "" },
  }));
  const owned = undo.move();
  return {
    async run(code: string, language: "typescript" | "javascript" | "python" = "typescript") {
      const result = await runner.run(
        { code, language, timeoutMs: 60_000, permissions: {} },
        testContext(),
      );
      equal(result.isError, undefined, resultText(result));
      return result.structuredContent?.result;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const TOOLS: CodeTool[] = [
  { name: "time_now", description: "Now", inputSchema: object, namespace: "time" },
  { name: "time_odd-one", description: "Odd", inputSchema: object, namespace: "time" },
  { name: "my-server_list", description: "List", inputSchema: object, namespace: "my-server" },
  { name: "delete", description: "A word of the language", inputSchema: object },
  { name: "then", description: "Looks like a promise", inputSchema: object },
  {
    name: "hostile",
    description: HOSTILE,
    inputSchema: {
      type: "object",
      properties: {
        [HOSTILE]: { type: "string", description: HOSTILE },
        mode: { enum: [HOSTILE, "plain"], description: HOSTILE },
      },
      required: ["mode"],
    },
  },
];

Deno.test("run() offers the tools of an imported server by its name, and by their whole names", async () => {
  await using runner = await runnerOver(TOOLS);
  const code = `const all = await Promise.all([
  tools.time.now({ a: 1 }), tools.time_now(), tools.time["odd-one"](), tools["my-server"].list(),
]);
return all.map((one) => one.called);`;
  const names = ["time_now", "time_now", "time_odd-one", "my-server_list"];
  deepEqual(await runner.run(code), names);
  deepEqual(await runner.run(code, "javascript"), names);
});

Deno.test("run() reaches tools whose names are words of the language", async () => {
  await using runner = await runnerOver(TOOLS);
  deepEqual(
    await runner.run(`return [(await tools.delete()).called, (await tools["delete"]()).called]`),
    ["delete", "delete"],
  );
});

Deno.test("run() type-checks and calls a tool with hostile names and descriptions", async () => {
  await using runner = await runnerOver(TOOLS);
  const args = { mode: "plain", [HOSTILE]: "x" };
  const found = await runner.run(
    `const got = await tools.hostile(${
      JSON.stringify(args)
    }); return [got.args, (await tools.search("hostile")).length];`,
  );
  deepEqual(found, [args, 1]);
});

Deno.test({
  name: "run() offers the same names in Python",
  ignore: needs("python3"),
  async fn() {
    await using runner = await runnerOver(TOOLS);
    const args = { mode: "plain", [HOSTILE]: "x" };
    const found = await runner.run(
      `import json
args = json.loads(${JSON.stringify(JSON.stringify(args))})
[tools.time.now()["called"], tools.time["odd-one"]()["called"], tools["my-server"].list()["called"],
 tools["delete"]()["called"], tools.hostile(args)["args"] == args, len(tools.search("hostile")[0]["signature"].splitlines())]`,
      "python",
    );
    deepEqual(found, ["time_now", "time_odd-one", "my-server_list", "delete", true, 1]);
  },
});
