import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { createResourcesPort } from "../../src/mcp/resources/resource_provider.ts";
import { createSdkResources } from "../../src/mcp/resources/sdk_resources.ts";
import type { CodeTool } from "../../src/run/code/code_tool.ts";
import { findCompiler } from "../../src/run/code/find_compiler.ts";
import { typeCheck } from "../../src/run/code/type_check.ts";
import { fakeContext } from "../support/fake_caller.ts";

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const TOOLS: readonly CodeTool[] = [
  { name: "weather", description: "Weather of a city", inputSchema: city, outputSchema: city },
  { name: "time_now", description: "Time of day", inputSchema: { type: "object" }, namespace: "time" },
];
const port = createResourcesPort([createSdkResources({ tools: () => TOOLS })]);
const text = async (uri: string) => (await port.read(uri, fakeContext()))[0]?.text ?? "";

Deno.test("skillz://sdk/typescript shows every signature, and is TypeScript", async () => {
  const shown = await text("skillz://sdk/typescript");
  match(
    shown,
    /^ {2}\/\*\* Weather of a city \*\/ weather\(args: \{ city: string \}\): Promise<\{ city: string \}>$/m,
  );
  match(shown, /time_now\(.* \/\/ also tools\.time\.now$/m);
  const faults = await typeCheck("return await tools.weather({ city: 'Oslo' });", {
    declarations: shown,
    compiler: await findCompiler(() => Promise.resolve(Deno.execPath())),
    env: { PATH: Deno.env.get("PATH") ?? "" },
    signal: new AbortController().signal,
  });
  deepEqual(faults, []);
});

Deno.test("skillz://sdk/python shows every signature", async () => {
  const shown = await text("skillz://sdk/python");
  match(shown, /^def weather\(\*, city: str\) -> dict: """Weather of a city"""$/m);
  match(shown, /^def time_now\(\) -> object: """Time of day""" # also tools\.time\.now$/m);
});

Deno.test("skillz://sdk/{language}{?query} shows what the query finds", async () => {
  for (const language of ["typescript", "python"]) {
    const shown = await text(`skillz://sdk/${language}?query=city%20weather`);
    match(shown, /weather/);
    equal(shown.includes("time_now"), false);
    match(await text(`skillz://sdk/${language}?query=`), /time_now/);
  }
});

Deno.test("skillz://sdk/ leads nowhere for other languages; languages complete", async () => {
  await rejects(port.read("skillz://sdk/cobol", fakeContext()), /languages are typescript and python/);
  deepEqual(
    await port.complete("skillz://sdk/{language}{?query}", { name: "language", value: "py", others: {} }),
    ["python"],
  );
  deepEqual(port.affected({ kind: "tool", change: "added", name: "x" }), [
    "skillz://sdk/typescript",
    "skillz://sdk/python",
  ]);
});
