import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { SkillzError } from "../../src/base/errors.ts";
import { isJsonObject, type JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { createSuggestSkillTool } from "../../src/mcp/builtins/suggest_skill.ts";
import { searchSkills } from "../../src/skills/search_skills.ts";
import { fakeCaller, type FakeCallerOptions, fakeContext } from "../support/fake_caller.ts";
import { testApp } from "../support/test_app.ts";

const SKILLS = [
  { name: "dev", kind: "virtual", description: "Make, change, import and delete tools" },
  {
    name: "pdf",
    kind: "knowledge",
    description: "Fill forms and extract tables from PDF files",
    tags: ["acrobat"],
  },
  { name: "slack-gif-creator", kind: "knowledge", description: "Makes animated GIFs for Slack" },
  { name: "invoices", kind: "knowledge", description: "Sorts invoices and receipts for the tax office" },
] as const;

Deno.test("searchSkills() finds by names, tags and descriptions, the best first, and nothing where nothing fits", () => {
  const names = (query: string) => searchSkills(query, SKILLS, { limit: 3 }).map(({ skill }) => skill.name);
  deepEqual(names("please extract a table from this pdf file"), ["pdf"]);
  deepEqual(names("acrobat"), ["pdf"]);
  deepEqual(names("an animated GIF of my invoice"), ["slack-gif-creator", "invoices"]);
  deepEqual(names("the weather of tomorrow"), []);
});

Deno.test("searchSkills() tells whole words of the query, not what it compares", () => {
  const words = (query: string) => searchSkills(query, SKILLS, { limit: 1 })[0]?.words.toSorted();
  deepEqual(words("Animating gifs"), ["animating", "gifs"]);
  deepEqual(words("sorting the INVOICES, and taxes"), ["invoices", "sorting", "taxes"]);
});

Deno.test("B21 suggest_skill searches when the client has no sampling", async () => {
  const { text, data } = await suggest("extract tables from a PDF");
  match(text, /^Suggested skills: pdf\n- pdf: Fill forms.*\nActivate with activate_skill/);
  deepEqual([data.by, names(data)], ["search", ["pdf"]]);
});

Deno.test("suggest_skill lets the client's model choose, and drops names that are not there", async () => {
  const chosen =
    '```json\n{"skills":[{"name":"invoices","why":"It sorts"},{"name":"made-up","why":"x"}]}\n```';
  const { text, data, caller } = await suggest("tidy my papers", { answer: () => answer(chosen) });
  match(text, /^Suggested skills: invoices\n- invoices: It sorts\n/);
  deepEqual([data.by, names(data)], ["sampling", ["invoices"]]);
  equal(caller.questions[0]?.method, "sampling/createMessage");
  match(JSON.stringify(caller.questions[0]?.params), /tidy my papers.*slack-gif-creator/);
});

Deno.test("B21 suggest_skill searches when the client's model answers nonsense, fails, or never answers", async () => {
  const never = Promise.withResolvers<JsonObject>();
  for (
    const reply of [
      () => answer("I like pdf"),
      () => answer('{"skills":"pdf"}'),
      () => answer('{"skills":[{"name":"made-up","why":"x"}]}'),
      () => Promise.reject(new SkillzError("failed", "Cannot ask: the user declined")),
      () => never.promise,
    ]
  ) {
    const { text, data } = await suggest("extract tables from a PDF", { answer: reply });
    deepEqual([data.by, names(data)], ["search", ["pdf"]]);
    match(text, /Found by search: /);
  }
});

Deno.test("suggest_skill knows virtual skills and SKILL.md folders of the real server", async () => {
  await using test = await testApp();
  await Deno.mkdir(join(test.toolsDir, "forms"));
  await Deno.writeTextFile(
    join(test.toolsDir, "forms/SKILL.md"),
    "---\nname: forms\ndescription: Fill tax forms\n---\nFirst, breathe.\n",
  );
  deepEqual(names(await test.data("suggest_skill", { context: "fill a form" })), ["forms"]);
  deepEqual(names(await test.data("suggest_skill", { context: "store values in memory" }))[0], "memory");
  match(
    resultText(await test.call("list_tools", { type: "knowledge" })),
    /^knowledge \(1\)\n- forms: Fill tax/,
  );
  match(
    resultText(await test.call("activate_skill", { name: "forms" })),
    /Activated: forms[^]*First, breathe\./,
  );
});

async function suggest(context: string, options: FakeCallerOptions = {}) {
  const tool = createSuggestSkillTool({
    skills: () => Promise.resolve(SKILLS),
    active: () => new Set(),
    timeoutMs: 200,
  });
  const caller = fakeCaller(options);
  const ask = caller.ask.bind(caller);
  // As the real one does: a question ends with its signal.
  Object.assign(caller, {
    ask: (question: Parameters<typeof ask>[0], signal: AbortSignal) =>
      Promise.race([
        ask(question, signal),
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      ]),
  });
  const result = await tool.run({ context }, fakeContext({ caller }));
  return { text: resultText(result), data: result.structuredContent ?? {}, caller };
}

function answer(text: string): JsonObject {
  return { role: "assistant", model: "test", content: { type: "text", text } };
}

function names({ skills }: JsonObject): unknown[] {
  return Array.isArray(skills) ? skills.map((skill) => isJsonObject(skill) && skill.name) : [];
}
