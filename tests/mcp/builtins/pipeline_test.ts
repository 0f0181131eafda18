import { deepEqual, equal, match } from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import { resultText } from "../../../src/base/tool_result.ts";
import { fakeContext } from "../../support/fake_caller.ts";
import { type TestApp, testApp } from "../../support/test_app.ts";

const TEXT = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

async function appWithScript(): Promise<TestApp> {
  const app = await testApp();
  await registerUpper(app);
  return app;
}

async function registerUpper(app: TestApp, more: JsonObject = {}) {
  await app.data("register_script", {
    name: "upper",
    description: "Upper case",
    extension: "ts",
    code: 'import { tool } from "skillz";\ntool(({ text }: any) => ({ text: text.toUpperCase() }));\n',
    input_schema: TEXT,
    output_schema: TEXT,
    annotations: { readOnlyHint: true, openWorldHint: false },
    permissions: {},
    ...more,
  });
}

const SHOUT: JsonObject = {
  action: "create",
  name: "shout",
  description: "Shouts",
  input_schema: TEXT,
  steps: [{ name: "up", tool: "upper", args: { text: "$input.text" } }],
  output: "$up.text!",
};

Deno.test("pipeline create makes a tool that works at once, with annotations from its steps", async () => {
  await using app = await appWithScript();
  const created = await app.call("pipeline", SHOUT);
  equal(created.isError, undefined, resultText(created));
  match(resultText(created), /Call it now: call_tool \{"tool_name": "shout", "arguments": \{"text":"…"\}\}/);
  deepEqual(created.structuredContent?.annotations, {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
  const result = await app.call("shout", { text: "hi" });
  equal(result.structuredContent?.output, "HI!", resultText(result));
  deepEqual((await app.call("shout", {})).isError, true);
});

Deno.test("pipeline run hands the result on unchanged", async () => {
  await using app = await appWithScript();
  await app.data("pipeline", SHOUT);
  const ran = await app.call("pipeline", { action: "run", name: "shout", arguments: { text: "hi" } });
  equal(ran.structuredContent?.output, "HI!");
  const bad = await app.call("pipeline", { action: "run", name: "upper" });
  match(resultText(bad), /Cannot run pipeline "upper": it is a script tool\. Pipelines are shout/);
});

Deno.test("pipeline create refuses with the whole list of what is wrong, and saves nothing", async () => {
  await using app = await appWithScript();
  const result = await app.call("pipeline", {
    ...SHOUT,
    steps: [
      { name: "a", tool: "nothing", args: { x: "$b.text" } },
      { name: "b", tool: "upper", args: { text: 5 } },
      { name: "c", tool: "upper", args: { text: "$b.txt" }, condition: "$a ==" },
    ],
    output: "$d",
  });
  equal(result.isError, true);
  const { problems } = (result.structuredContent?.error as { data: { problems: string[] } }).data;
  equal(problems.length, 6, problems.join("\n"));
  for (const part of [/no tool "nothing"/, /\$b\.text.*later/, /text.*string/, /txt/, /condition/, /\$d/]) {
    match(resultText(result), part);
  }
  equal(app.app.store.get("shout"), undefined);
});

Deno.test("pipeline create says which parameter is missing, and which name it can't have", async () => {
  await using app = await appWithScript();
  const text = async (args: JsonObject) => resultText(await app.call("pipeline", args));
  match(await text({ action: "create", name: "x", description: "x" }), /steps is missing/);
  match(await text({ action: "create", description: "x" }), /steps|name is missing/);
  match(await text({ ...SHOUT, description: undefined }), /description is missing/);
  match(await text({ ...SHOUT, name: "memory" }), /belongs to the server/);
  match(await text({ ...SHOUT, name: "../x" }), /other characters/);
  match(await text({ ...SHOUT, name: "upper" }), /a script tool has that name/);
  match(await text({ ...SHOUT, input_schema: { type: "string" } }), /input_schema: /);
  match(await text({ action: "begin" }), /action/);
});

Deno.test("pipeline create replaces with overwrite and keeps the old state as a version", async () => {
  await using app = await appWithScript();
  await app.data("pipeline", SHOUT);
  match(resultText(await app.call("pipeline", SHOUT)), /overwrite/);
  const second = await app.data("pipeline", { ...SHOUT, output: "$up.text!!", overwrite: true });
  equal(second.version, "1.0.1");
  equal((await app.data("shout", { text: "a" })).output, "A!!");
  await app.data("version", { action: "rollback", tool_name: "shout", version: "1.0.0" });
  equal((await app.data("shout", { text: "a" })).output, "A!");
});

Deno.test("pipeline create runs its examples; a failing one refuses it", async () => {
  await using app = await appWithScript();
  const example = (output: string) => ({
    ...SHOUT,
    examples: [{ arguments: { text: "hi" }, expect: { structured: { output } } }],
  });
  const refused = await app.call("pipeline", example("other"));
  match(resultText(refused), /example #1 did not answer as it says.*"HI!".*"other"/);
  equal(app.app.store.get("shout"), undefined);
  await app.data("pipeline", example("HI!"));
});

Deno.test("pipeline list filters by tag; show tells the definition", async () => {
  await using app = await appWithScript();
  await app.data("pipeline", { ...SHOUT, tags: ["loud"] });
  await app.data("pipeline", { ...SHOUT, name: "other" });
  const names = async (args: JsonObject) =>
    ((await app.data("pipeline", { action: "list", ...args })).pipelines as { name: string }[]).map((one) =>
      one.name
    );
  deepEqual(await names({}), ["other", "shout"]);
  deepEqual(await names({ tag: "loud" }), ["shout"]);
  deepEqual(await names({ tag: "quiet" }), []);
  const shown = await app.data("pipeline", { action: "show", name: "shout" });
  deepEqual(shown.steps, SHOUT.steps);
  equal(shown.output, "$up.text!");
  deepEqual(shown.input_schema, TEXT);
});

Deno.test("pipeline delete removes pipelines and nothing else", async () => {
  await using app = await appWithScript();
  await app.data("pipeline", SHOUT);
  equal((await app.call("pipeline", { action: "delete", name: "upper" })).isError, true);
  equal((await app.call("pipeline", { action: "delete", name: "shout" })).isError, undefined);
  deepEqual(app.app.store.list().map((tool) => tool.name), ["upper"]);
  match(resultText(await app.call("pipeline", { action: "delete", name: "shout" })), /none of that name/);
});

Deno.test("a pipeline whose tool vanished or changed is shown as broken, with the reason, until it is mended", async () => {
  await using app = await appWithScript();
  await app.data("pipeline", SHOUT);
  const shown = async () => {
    const list = resultText(await app.call("pipeline", { action: "list" }));
    const all = resultText(await app.call("list_tools"));
    const [guide] = await app.app.ports.resources.read("skillz://guide", fakeContext());
    return [list, all, guide?.text ?? ""];
  };
  for (const text of await shown()) equal(/broken:/.test(text), false, text);

  await registerUpper(app, {
    overwrite: true,
    code: 'import { tool } from "skillz";\ntool(({ word }: any) => ({ word }));\n',
    input_schema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
    output_schema: { type: "object", properties: { word: { type: "string" } } },
  });
  for (const text of await shown()) match(text, /broken: .*\btext\b/);
  match(
    resultText(await app.call("shout", { text: "a" })),
    /Cannot run pipeline "shout": it is broken, nothing was run/,
  );

  await app.data("delete_tool", { tool_name: "upper" });
  for (const text of await shown()) match(text, /broken: .*there is no tool "upper"/);
  const { tools } = await app.data("list_tools", { type: "pipeline" });
  match(JSON.stringify(tools), /"broken":\["[^"]*no tool/);

  await registerUpper(app);
  equal((await app.data("shout", { text: "a" })).output, "A!");
  for (const text of await shown()) equal(/broken:/.test(text), false);
});
