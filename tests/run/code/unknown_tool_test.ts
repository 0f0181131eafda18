import { deepEqual, equal, match } from "node:assert/strict";
import { resultText } from "../../../src/base/tool_result.ts";
import type { CodeTool } from "../../../src/run/code/code_tool.ts";
import { nameUnknownTools, unknownToolHint } from "../../../src/run/code/unknown_tool.ts";
import { needs } from "../../support/needs.ts";
import { codeApp } from "./_code_app.ts";

const tool = (name: string, description = ""): CodeTool => ({
  name,
  description,
  inputSchema: { type: "object" },
});
const ALL = [tool("weather_now", "Forecast of a town"), tool("word_counter"), tool("odd-name")];
const EVERYWHERE = 'tools.search("words") finds tools, list_tools shows all';

Deno.test("unknownToolHint() proposes what is written alike, else what fits the words, and how to find others", () => {
  const hint = (name: string) => unknownToolHint(name, { chosen: ALL, all: ALL });
  equal(hint("wether_now"), `Similar names: weather_now; ${EVERYWHERE}`);
  equal(hint("weatherNow"), `Similar names: weather_now; ${EVERYWHERE}`);
  equal(hint("od_name"), `Similar names: odd-name; ${EVERYWHERE}`);
  equal(hint("forecast"), `Similar names: weather_now; ${EVERYWHERE}`);
  equal(hint("zzz"), EVERYWHERE);
  match(unknownToolHint("word_counter", { chosen: [], all: ALL }), /^There is one: add "word_counter" to/);
});

Deno.test("nameUnknownTools() rewrites faults about tools and leaves all others", () => {
  const known = { chosen: ALL, all: ALL };
  const rewritten = (message: string) =>
    nameUnknownTools([{ line: 1, column: 2, message }], known)[0]?.message;
  match(
    rewritten("Property 'wether' does not exist on type 'ToolSearch & { a(): void; }'.") ?? "",
    /^This program has no tool "wether"/,
  );
  match(rewritten("Cannot find name 'weather_now'.") ?? "", /called as tools\.weather_now\(\{…\}\)$/);
  for (
    const message of [
      "Property 'x' does not exist on type '{ a: string; }'.",
      "Cannot find name 'weather'.",
      "Type 'string' is not assignable to type 'number'.",
    ]
  ) deepEqual(rewritten(message), message);
});

for (const language of ["typescript", "javascript", "python"] as const) {
  Deno.test({
    name: `run() names an unknown tool, those alike, and the way to find others, in ${language}`,
    ignore: language === "python" && needs("python3"),
    async fn() {
      await using app = await codeApp({ tools: ["weather", "texts"] });
      const code = language === "python" ? "return tools.wether()" : "return await tools.wether({});";
      const result = await app.run(code, { language });
      equal(result.isError, true);
      match(resultText(result), /"wether"[^]*Similar names: weather; tools\.search\("words"\) finds tools/);
    },
  });
}
