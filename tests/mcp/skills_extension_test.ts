import assert from "node:assert/strict";
import { listDirectory, skillUri, splitSkillUri } from "../../src/mcp/skill_uri.ts";
import { createSkillResources } from "../../src/mcp/resources/skill_resources.ts";
import { fakeContext } from "../support/fake_caller.ts";
import { StreamClient } from "../transport/_stream_client.ts";

Deno.test("skills/list and skills/get describe each skill with the digests of its files", async () => {
  await using client = new StreamClient();
  const { result } = await client.request("skills/list");
  assert.equal(result.skills.length, 1);
  const [skill] = result.skills;
  assert.equal(skill.frontmatter?.name ?? skill.name, "pdf");
  assert.match(JSON.stringify(skill), /sha256:[0-9a-f]{64}/);
  const got = await client.request("skills/get", { uri: "skill://pdf/SKILL.md" });
  assert.deepEqual(got.result.skill, skill);
});

Deno.test("skills/get and resources/directory/read refuse addresses that lead nowhere", async () => {
  await using client = new StreamClient();
  for (const uri of ["skill://none/SKILL.md", "skill://pdf/ref/FORMS.md", "skill://pdf", "x", ""]) {
    assert.equal((await client.request("skills/get", { uri })).error.code, -32602, uri);
  }
  for (const uri of ["skill://none", "skill://pdf/SKILL.md", "skill://pdf/../x", "file:///etc"]) {
    assert.equal((await client.request("resources/directory/read", { uri })).error.code, -32602, uri);
  }
  assert.equal((await client.request("skills/get", {})).error.code, -32602);
});

Deno.test("resources/directory/read lists what lies directly in a folder of a skill", async () => {
  await using client = new StreamClient();
  const read = async (uri: string) =>
    (await client.request("resources/directory/read", { uri })).result.resources;
  assert.deepEqual(await read("skill://pdf"), [
    { uri: "skill://pdf/SKILL.md", name: "SKILL.md", mimeType: "text/markdown" },
    { uri: "skill://pdf/ref", name: "ref", mimeType: "inode/directory" },
  ]);
  assert.deepEqual(await read("skill://pdf/ref/"), [
    { uri: "skill://pdf/ref/FORMS.md", name: "FORMS.md", mimeType: "text/markdown" },
  ]);
});

Deno.test("splitSkillUri() finds the skill that an address belongs to, the innermost one", () => {
  const skills = ["a", "a/b", "ab"];
  assert.deepEqual(splitSkillUri("skill://a/SKILL.md", skills), { path: "a", rest: "SKILL.md" });
  assert.deepEqual(splitSkillUri("skill://a/b/SKILL.md", skills), { path: "a/b", rest: "SKILL.md" });
  assert.deepEqual(splitSkillUri("skill://ab", skills), { path: "ab", rest: "" });
  assert.equal(splitSkillUri("skill://abc/x", skills), undefined);
  assert.equal(splitSkillUri("skillz://a/x", skills), undefined);
  assert.equal(skillUri("a/b", "c.md"), "skill://a/b/c.md");
});

Deno.test("splitSkillUri() finds again what skillUri() encodes, and what is not encoded", () => {
  const skills = ["größe", "a/b c"];
  const paths = ["SKILL.md", "my notes.md", "100%.md", "a%20b.md", "q?.md", "x#y/[1].md", "été/ü.md"];
  for (const skill of skills) {
    for (const rest of paths) {
      const uri = skillUri(skill, rest);
      assert.match(uri, /^skill:\/\/[\w!$&'()*+,.:;=@~%/-]+$/);
      assert.equal(new URL(uri).href, uri);
      assert.deepEqual(splitSkillUri(uri, skills), { path: skill, rest }, uri);
    }
  }
  assert.deepEqual(splitSkillUri("skill://a/b c/my notes.md", skills), {
    path: "a/b c",
    rest: "my notes.md",
  });
  assert.deepEqual(splitSkillUri("skill://a/b%20c/100%.md", skills), { path: "a/b c", rest: "100%.md" });
  assert.equal(splitSkillUri("skill://a%2Fb/..%2F..%2Fx", ["a"]), undefined);
});

Deno.test("createSkillResources() reads files by the addresses that the extension gives", async () => {
  const files = { "SKILL.md": "---\nname: a\ndescription: d\n---\n", "my notes é.md": "kept" };
  const skills = { paths: () => ["a"], open: () => Promise.resolve({ path: "a", files }) };
  const provider = createSkillResources({ skills, describe: (name) => ({ name, description: "d" }) });
  const { skillEntry } = await import("@modelcontextprotocol/server/ext/skills");
  const addresses = JSON.stringify(await skillEntry("a", files)).match(/skill:[^"]+/g) ?? [];
  assert.ok(addresses.some((uri) => uri.includes("%20")), addresses.join());
  for (const uri of addresses.filter((uri) => uri.endsWith(".md"))) {
    assert.equal((await provider.read(uri, fakeContext()))?.length, 1, uri);
  }
});

Deno.test("listDirectory() does not take a file's name for a folder's", () => {
  const skill = { path: "a", files: { "SKILL.md": "", "refs.md": "", "refs/x.md": "" } };
  assert.deepEqual(listDirectory(skill, "refs").map(({ name }) => name), ["x.md"]);
  assert.deepEqual(listDirectory(skill, "SKILL.md"), []);
});

Deno.test("createSkillResources() reads files of skills, text or not, and nothing else", async () => {
  const files = {
    "SKILL.md": "# A",
    "logo.png": new Uint8Array([0xff, 0xfe]),
    "notes.txt": new Uint8Array([104, 105]),
  };
  const skills = { paths: () => ["a"], open: () => Promise.resolve({ path: "a", files }) };
  const provider = createSkillResources({
    skills,
    describe: (path) => ({ name: path, description: "A skill" }),
  });
  assert.deepEqual(provider.list(), [
    { uri: "skill://a/SKILL.md", name: "a", description: "A skill", mimeType: "text/markdown" },
  ]);
  const read = async (uri: string) => (await provider.read(uri, fakeContext()))?.[0];
  assert.equal((await read("skill://a/SKILL.md"))?.text, "# A");
  assert.equal((await read("skill://a/notes.txt"))?.text, "hi");
  assert.deepEqual(await read("skill://a/logo.png"), {
    uri: "skill://a/logo.png",
    mimeType: "image/png",
    blob: "//4=",
  });
  assert.equal(await read("skillz://tools/x"), undefined);
  for (
    const uri of ["skill://a/none", "skill://b/SKILL.md", "skill://a/toString", "skill://a/../a/SKILL.md"]
  ) {
    await assert.rejects(() => read(uri), /there is no such resource/);
  }
});
