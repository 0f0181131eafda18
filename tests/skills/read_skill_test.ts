import { deepEqual, equal, match, ok } from "node:assert/strict";
import { type ReadSkill, readSkillText } from "../../src/skills/read_skill.ts";

Deno.test("B27 readSkillText() reads values with a colon that are no valid YAML, whole, and the fields after them", async () => {
  const skill = await read(
    "---\nname: foo\ndescription: Story help. Trigger words: a, b: c # d\nlicense: MIT\n---\nhi",
  );
  equal(skill.name, "foo");
  equal(skill.description, "Story help. Trigger words: a, b: c # d");
  equal(skill.fields.license, "MIT");
  equal(skill.body, "hi");
  match(skill.warnings.join(), /no valid YAML/);
});

Deno.test("B27 readSkillText() reads a value of several lines with colons, and odd quotes", async () => {
  const skill = await read(
    '---\nname: foo\ndescription: Use when: the user\n  asks for: this\ncompatibility: "a" or "b"\nlicense: "the "new" one"\n---\n',
  );
  equal(skill.description, "Use when: the user asks for: this");
  equal(skill.fields.compatibility, '"a" or "b"');
  equal(skill.fields.license, 'the "new" one');
});

Deno.test("B29 readSkillText() reads block scalars, quotes and nested fields as YAML has them", async () => {
  const skill = await read(
    '---\nname: "foo"\ndescription: |\n  One: two\n  ---\n  name: inner\nmetadata:\n  description: no\n  name: no\n---\nBody\n---\nmore',
  );
  equal(skill.name, "foo");
  equal(skill.description, "One: two\n---\nname: inner");
  deepEqual(skill.fields.metadata, { description: "no", name: "no" });
  equal(skill.body, "Body\n---\nmore");
  deepEqual(skill.warnings, []);
  equal((await read("---\nname: foo\ndescription: >-\n  a\n  b\n---\n")).description, "a b");
});

Deno.test("readSkillText() takes every scalar as a text", async () => {
  const skill = await read("---\nname: yes\ndescription: 2024\nversion: 1.0\n---\n", "yes");
  deepEqual([skill.name, skill.description, skill.fields.version], ["yes", "2024", "1.0"]);
});

Deno.test("readSkillText() reads files with a byte order mark and CRLF, and blanks after the dashes", async () => {
  const skill = await read("\uFEFF---  \r\nname: foo\r\ndescription: text\r\n---\t\r\n\r\n# Hi\r\nyou\r\n");
  deepEqual([skill.name, skill.description, skill.body], ["foo", "text", "# Hi\nyou\n"]);
});

Deno.test("readSkillText() ends the front matter at a whole line of dashes only", async () => {
  const skill = await read("---\nname: foo\ndescription: a --- b\nlicense: ---x\n---\n");
  deepEqual([skill.description, skill.fields.license], ["a --- b", "---x"]);
});

Deno.test("B31 readSkillText() warns of a name that is missing, off the rules, or not the folder's", async () => {
  match((await read("---\ndescription: text\n---\n")).warnings.join(), /no name/);
  equal((await read("---\ndescription: text\n---\n")).name, "foo");
  const odd = await read("---\nname: Foo Bar\ndescription: text\n---\n");
  equal(odd.name, "Foo Bar");
  match(odd.warnings.join(), /holds others/);
  match((await read("---\nname: bar\ndescription: text\n---\n")).warnings.join(), /not its folder's/);
  for (const name of ["../up", "a/b", "@all", "x".repeat(65), "__proto__", '"a\\u0007b"']) {
    equal((await read(`---\nname: ${name}\ndescription: text\n---\n`)).name, "foo", name);
  }
});

Deno.test("B31 readSkillText() says why a file is no skill", async () => {
  for (
    const [text, reason] of [
      ["", /empty/],
      ["# Only Markdown\n", /no front matter/],
      ["---\nname: foo\n", /no front matter/],
      ["---\n---\nbody", /no description|can't be read/],
      ["---\nname: foo\ndescription:\n---\n", /no description/],
      ["---\nname: foo\ndescription: [a, b]\n---\n", /no description/],
      ["---\n: : :\n\t- x: [\n---\n", /can't be read/],
    ] as const
  ) {
    const found = await readSkillText(text, "foo");
    ok(found.kind === "faulty", text);
    match(found.reason, reason);
  }
});

Deno.test("readSkillText() reads tags and required skills from lists and from texts", async () => {
  const skill = await read(
    "---\nname: foo\ndescription: text\ntags: [a, b]\nrequires_skills: dev, memory\nmetadata:\n  tags: c\n---\n",
  );
  deepEqual([skill.tags, skill.requires], [["a", "b", "c"], ["dev", "memory"]]);
});

async function read(text: string, folder = "foo"): Promise<ReadSkill & { kind: "skill" }> {
  const found = await readSkillText(text, folder);
  if (found.kind === "faulty") throw new Error(found.reason);
  return found;
}
