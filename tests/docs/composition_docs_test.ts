import { deepEqual, equal } from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { readSource } from "../support/repository.ts";
import { snippetsOf } from "../support/snippets.ts";
import { type TestApp, testApp } from "../support/test_app.ts";

const COVERED = "covered by tests/docs/composition_docs_test.ts";

/** Blocks of a file that this test answers for. */
async function blocks(file: string, language: string): Promise<string[]> {
  return snippetsOf(await readSource(file))
    .filter((snippet) => snippet.mark === COVERED && snippet.language === language)
    .map((snippet) => snippet.code);
}

/** The tools that the documents speak of. */
async function appWithTools(): Promise<TestApp> {
  const app = await testApp();
  const register = (name: string, body: string, properties: JsonObject) =>
    app.data("register_script", {
      name,
      description: name,
      extension: "ts",
      code: `import { tool } from "skillz";\ntool((args: any) => (${body}));\n`,
      input_schema: { type: "object", properties, required: Object.keys(properties) },
      permissions: {},
    });
  const text = { type: "string" };
  await register("weather", "{ city: args.city, temp: args.city.length }", { city: text });
  await register("word_counter", "{ words: args.text.split(' ').length, text: args.text }", { text });
  await register("time_get_current_time", "{ timezone: args.timezone, datetime: 'T' + args.timezone }", {
    timezone: text,
  });
  return app;
}

Deno.test("the TypeScript of docs/execute-code.md runs as it stands", async () => {
  await using app = await appWithTools();
  const programs = await blocks("docs/execute-code.md", "ts");
  equal(programs.length, 1);
  for (const code of programs) {
    const result = await app.call("execute_code", { code });
    deepEqual(result.structuredContent?.result, ["Cairo"], resultText(result));
    equal(result.structuredContent?.output, "asked for 3 cities\n");
  }
});

Deno.test({
  name: "the Python of docs/execute-code.md runs as it stands",
  ignore: needs("python3"),
  async fn() {
    await using app = await appWithTools();
    const programs = await blocks("docs/execute-code.md", "python");
    equal(programs.length, 1);
    for (const code of programs) {
      const result = await app.call("execute_code", { code, language: "python" });
      deepEqual(result.structuredContent?.result, ["Cairo"], resultText(result));
      equal(result.structuredContent?.output, "asked for 3 cities\n");
    }
  },
});

Deno.test("the pipelines of docs/pipelines.md can be made and run as they stand", async () => {
  await using app = await appWithTools();
  const pipelines = await blocks("docs/pipelines.md", "json");
  const outputs = [];
  for (const json of pipelines) {
    const definition: JsonObject = JSON.parse(json);
    await app.data("pipeline", definition);
    const args = definition.input_schema ? { cities: ["Oslo", "Lima"], loud: true } : {};
    outputs.push((await app.data(String(definition.name), args)).output);
  }
  deepEqual(outputs, [
    { words: 4, text: "NY: TAmerica/New_York, London: TEurope/London" },
    { first: "Oslo", words: 5 },
  ]);
});
