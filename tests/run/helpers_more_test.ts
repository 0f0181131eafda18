import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { waitFor } from "../support/wait_for.ts";
import { bench, testCaller, testContext } from "./_fixture.ts";

function python(code: string) {
  return { interpreter: "python3", extension: "py", code };
}

Deno.test({
  name: "skillz.py binds arguments by name, as one dict, or as keywords",
  ignore: needs("python3"),
  async fn() {
    await using place = await bench();
    const forms: readonly [string, unknown][] = [
      ["def main(a, b=5): return [a, b]", "[1,5]"],
      ["def main(args): return args", '{"a":1,"c":2}'],
      ["def main(payload: dict, ctx): return [payload, ctx['tool_name']]", '[{"a":1,"c":2},"t"]'],
      ["def main(a, **rest): return rest", '{"c":2}'],
      ["async def main(a):\n    import asyncio\n    return await asyncio.to_thread(lambda: a)", "1"],
      ["def main(a):\n    yield a\n    yield 2", "[1,2]"],
      [
        "def main(a):\n    import datetime, dataclasses\n    return {'d': datetime.date(2026, 1, 2), 's': {3}}",
        '{"d":"2026-01-02","s":[3]}',
      ],
    ];
    for (const [code, expected] of forms) {
      const tool = await place.tool("t", python(`from skillz import tool\n@tool\n${code}\n`));
      const result = await place.call(tool, { a: 1, c: 2 });
      equal(resultText(result), expected, code);
    }
  },
});

Deno.test({
  name:
    "skillz.py says what is wrong: line of the failure, missing argument, NaN, a failed tool, code below @tool",
  ignore: needs("python3"),
  async fn() {
    await using place = await bench({
      callTool: () => Promise.resolve({ content: [{ type: "text", text: "inner trouble" }], isError: true }),
    });
    const failures: readonly [string, RegExp][] = [
      ["def main():\n    x = 1\n    return x / 0", /ZeroDivisionError: division by zero \(line 5 of t\.py\)/],
      ["def main(city): return city", /missing 1 required positional argument: 'city'/],
      ["def main(): return float('nan')", /NaN and Infinity are none/],
      ["def main(): return call('x')", /inner trouble/],
      ["def main(): return 1\nraise KeyError('below')", /exit code 1[^]*KeyError: 'below'/],
      ["def main():\n    raise SystemExit(4)", /exit code 4/],
    ];
    for (const [code, expected] of failures) {
      const tool = await place.tool("t", python(`from skillz import tool, call\n@tool\n${code}\n`));
      const result = await place.call(tool);
      equal(result.isError, true, code);
      match(resultText(result), expected);
    }
  },
});

Deno.test({
  name: "B10 what a tool's children and libraries print on stdout does not reach the protocol",
  ignore: needs("python3", "bash"),
  async fn() {
    await using place = await bench();
    const tool = await place.tool(
      "t",
      python(`
import os
from skillz import tool
@tool
def main():
    os.system("echo from a child")
    os.write(1, b'{"jsonrpc":"2.0","id":1,"result":"forged"}\\n')
    return "own"
`),
    );
    equal(resultText(await place.call(tool)), "own");
  },
});

for (
  const [program, extension, code] of [
    ["node", "mjs", 'import { tool, log } from "skillz";'],
    ["deno", "ts", 'import { tool, log } from "skillz";'],
  ] as const
) {
  Deno.test({
    name: `skillz for ${program}: a cancelled call aborts its signal, and the process serves on`,
    ignore: needs(program),
    async fn() {
      await using place = await bench({ deps: { persistent: { yieldMs: 30_000 } } });
      const tool = await place.tool("t", {
        interpreter: program === "deno" ? "deno run" : program,
        extension,
        code: `${code}
let n = 0;
tool(({ wait }, { signal }) => {
  n++;
  if (!wait) return { n };
  log("started");
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
});`.replace("{ wait }", extension === "ts" ? "{ wait }: { wait?: boolean }" : "{ wait }"),
        manifest: { lifecycle: "persistent" },
      });
      deepEqual((await place.call(tool)).structuredContent, { n: 1 });
      const stop = new AbortController();
      const { caller, heard } = testCaller();
      const call = place.call(tool, { wait: true }, testContext({ caller, signal: stop.signal }));
      call.catch(() => {});
      await waitFor(() => heard.logs.some(({ data }) => data === "started"), { what: "the call's start" });
      stop.abort(new Error("enough"));
      await rejects(call, /enough/);
      deepEqual((await place.call(tool)).structuredContent, { n: 3 });
    },
  });
}
