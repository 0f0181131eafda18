import assert from "node:assert/strict";
import { join } from "node:path";
import { tempDir } from "../support/temp_dir.ts";
import { names, openStore, write } from "./_support.ts";

Deno.test("a manifest without tool_type is a wasm tool, its module named like the tool", async () => {
  await using dir = await tempDir();
  await write(join(dir.path, "adder"), {
    "manifest.json": JSON.stringify({ name: "adder", version: "1.0.0", description: "Adds" }),
    "adder.wasm": "\0asm",
    "src.rs": "fn main() {}",
  });
  await using opened = await openStore(dir.path);
  const { manifest } = opened.store.get("adder") ?? assert.fail("not loaded");
  assert.equal(manifest.tool_type, "wasm");
  assert.equal(manifest.entry_file, "adder.wasm");
  assert.deepEqual(manifest.input_schema, { type: "object", properties: {} });
});

const INTERPRETERS: [interpreter: string, file: string][] = [
  ["python3", "t.py"],
  ["python3 -u", "t.py"],
  ["/usr/bin/python3.12", "t.py"],
  ["node", "t.js"],
  ["ruby", "t.rb"],
  ["bash", "t.sh"],
  ["perl", "t.pl"],
  ["php", "t.php"],
  ["lua", "t.script"],
];

for (const [interpreter, file] of INTERPRETERS) {
  Deno.test(`a script without entry_file is found as ${file} for ${interpreter}`, async () => {
    await using dir = await tempDir();
    await write(join(dir.path, "t"), {
      "manifest.json": JSON.stringify({ name: "t", description: "d", tool_type: "script", interpreter }),
      [file]: "1",
      "other.txt": "2",
    });
    await using opened = await openStore(dir.path);
    assert.deepEqual(opened.store.broken(), []);
    assert.equal(opened.store.get("t")?.manifest.entry_file, file);
  });
}

Deno.test("what the older edition wrote loads although it is not quite right", async () => {
  await using dir = await tempDir();
  await write(join(dir.path, "t"), {
    "manifest.json": "\uFEFF" + JSON.stringify({
      name: "t",
      version: "1.0",
      description: "",
      tool_type: "script",
      interpreter: "python3",
      entry_file: "t.py",
      input_schema: { type: "", properties: { a: { type: "string" } }, required: ["a"], extra: {} },
      output_schema: { type: "string" },
      annotations: null,
      // Its calendar had thirteen months.
      created_at: "2025-13-01T00:00:00Z",
      updated_at: "2025-02-30T00:00:00Z",
    }),
    "t.py": "1",
  });
  await using opened = await openStore(dir.path);
  assert.deepEqual(opened.store.broken(), []);
  const { manifest } = opened.store.get("t") ?? assert.fail("not loaded");
  assert.equal(manifest.version, "1.0.0");
  assert.equal(manifest.description, "The tool t; nobody has described it yet");
  assert.equal(manifest.input_schema.type, "object");
  assert.deepEqual(manifest.input_schema.required, ["a"]);
  assert.equal(manifest.output_schema, undefined);
  assert.equal(manifest.created_at, undefined);
  assert.equal((await opened.store.versions("t")).length, 1);
});

Deno.test("a script with only a SKILL.md loads as a script tool", async () => {
  await using dir = await tempDir();
  await write(join(dir.path, "t"), {
    "SKILL.md": [
      "---",
      "name: t",
      "description: Counts words",
      "tool_type: script",
      "interpreter: python3",
      "entry_file: t.py",
      "dependencies:",
      "- six",
      "input_schema:",
      "  type: object",
      "  properties:",
      "    text: { type: string }",
      "  required: [text]",
      "---",
      "",
      "# t",
    ].join("\r\n"),
    "t.py": "1",
  });
  // Without entry_file the script may lie in scripts/.
  await write(join(dir.path, "u"), {
    "SKILL.md": "---\nname: u\ndescription: d\ninterpreter: node\n---\n",
    "scripts/main.js": "1",
  });
  await using opened = await openStore(dir.path);
  assert.deepEqual(opened.store.broken(), []);
  const { manifest } = opened.store.get("t") ?? assert.fail("not loaded");
  assert.equal(manifest.tool_type, "script");
  assert.deepEqual(manifest.dependencies, ["six"]);
  assert.deepEqual(manifest.input_schema.required, ["text"]);
  assert.equal(opened.store.get("u")?.manifest.entry_file, "scripts/main.js");
});

Deno.test("a SKILL.md that is no valid YAML makes no tool of the half that could be read", async () => {
  await using dir = await tempDir();
  const script = (front: string) => ({
    "SKILL.md": `---\n${front}\ninterpreter: bash\nentry_file: x.sh\n---\n`,
    "x.sh": "echo 1",
  });
  const bad = {
    cut: "description: d\npermissions: { net: [a.example",
    tabs: "description: d\npermissions:\n\tnet: []",
    twice: "description: d\npermissions: {}\npermissions: { net: true }",
    unquoted: "description: d\nenv: SKILLZ_A: SKILLZ_B",
  };
  for (const [name, front] of Object.entries(bad)) await write(join(dir.path, name), script(front));
  await write(join(dir.path, "fine"), script("description: Use when: asked # or not\npermissions: {}"));
  await write(join(dir.path, "know"), { "SKILL.md": "---\nname: know\ndescription: Use when: asked\n---\n" });
  await using opened = await openStore(dir.path);
  assert.deepEqual(opened.store.list().map((tool) => tool.name), ["fine"]);
  const fine = opened.store.get("fine")?.manifest;
  assert.deepEqual([fine?.description, fine?.permissions], ["Use when: asked # or not", {}]);
  assert.deepEqual(opened.store.broken().map(({ folder }) => folder).sort(), Object.keys(bad).sort());
  for (const { reason } of opened.store.broken()) assert.match(reason, /its SKILL\.md is no valid YAML: /);
});

Deno.test("a manifest of tool_type knowledge is a tool's entry, hostile YAML is not", async () => {
  await using dir = await tempDir();
  await write(join(dir.path, "k"), {
    "manifest.json": JSON.stringify({ name: "k", description: "d", tool_type: "knowledge" }),
    "SKILL.md": "# k",
  });
  const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (const [index, letter] of [..."bcdefghij"].entries()) {
    const before = "abcdefghij"[index];
    bomb.push(`${letter}: &${letter} [${Array(9).fill(`*${before}`).join(",")}]`);
  }
  await write(join(dir.path, "bomb"), { "SKILL.md": `---\n${bomb.join("\n")}\nentry_file: x.py\n---\n` });
  await using opened = await openStore(dir.path);
  assert.deepEqual(opened.store.list().map((tool) => tool.name), ["k"]);
});

Deno.test("a manifest.json at the top of TOOLS_DIR gives each of its tools a folder", async () => {
  await using dir = await tempDir();
  await write(dir.path, {
    "manifest.json": JSON.stringify({
      words: {
        name: "words",
        description: "Counts",
        tool_type: "script",
        // TOOLS_DIR was moved since.
        script_path: "/old/place/scripts/words.py",
        interpreter: "python3",
        schema: { type: "object", properties: { text: { type: "string" } } },
        deps_installed: false,
      },
      adder: { name: "adder", description: "Adds", wasm_path: join(dir.path, "adder.wasm") },
    }),
    "scripts/words.py": "print(1)",
    "adder.wasm": "\0asm",
  });
  await using opened = await openStore(dir.path);
  assert.deepEqual(opened.store.broken(), []);
  assert.deepEqual(
    opened.store.list().map((tool) => [tool.name, tool.manifest.tool_type, tool.manifest.entry_file]),
    [
      ["adder", "wasm", "adder.wasm"],
      ["words", "script", "words.py"],
    ],
  );
  assert.deepEqual(opened.store.get("words")?.manifest.input_schema.properties, { text: { type: "string" } });
  assert.equal(await Deno.readTextFile(join(dir.path, "words", "words.py")), "print(1)");
  assert.ok((await names(dir.path)).includes("manifest.json.bak"));
  assert.ok(!(await names(dir.path)).includes("manifest.json"));
});

Deno.test("a manifest.json at the top that describes one tool uses the files beside it", async () => {
  await using dir = await tempDir();
  await write(dir.path, {
    "manifest.json": JSON.stringify({
      name: "one",
      description: "d",
      tool_type: "script",
      interpreter: "bash",
      entry_file: "one.sh",
    }),
    "one.sh": "echo 1",
  });
  await using opened = await openStore(dir.path);
  const tool = opened.store.get("one") ?? assert.fail("not loaded");
  assert.equal(await Deno.readTextFile(join(tool.directory, "one.sh")), "echo 1");
});

Deno.test("B49 a manifest.json at the top reaches nothing outside, and its other tools load", async () => {
  await using dir = await tempDir();
  const root = join(dir.path, "tools");
  await write(dir.path, { "secret.py": "secret" });
  await write(root, {
    "manifest.json": JSON.stringify({
      "../evil": { description: "d", tool_type: "script", script_path: "x.py" },
      far: { description: "d", tool_type: "script", script_path: join(dir.path, "secret.py") },
      up: { description: "d", tool_type: "script", script_path: "../secret.py" },
      good: { description: "d", tool_type: "script", interpreter: "python3", script_path: "good.py" },
    }),
    "good.py": "1",
  });
  await using opened = await openStore(root);
  assert.deepEqual(opened.store.list().map((tool) => tool.name), ["good"]);
  assert.deepEqual(opened.store.broken().map(({ folder }) => folder), Array(3).fill("manifest.json"));
  await write(root, { "manifest.json": "{" });
  await using again = await openStore(root);
  assert.deepEqual(again.store.broken().map(({ folder }) => folder), ["manifest.json"]);
});
