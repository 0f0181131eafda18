import { deepEqual, equal, match } from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { needs } from "../support/needs.ts";
import { serverCommand, serverEnvironment } from "../support/server.ts";
import { type TempDir, tempDir } from "../support/temp_dir.ts";

interface Checked {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `skillz check-tools` as a process; it sees TOOLS_DIR at `dir/tools`. */
async function check(dir: TempDir, ...args: readonly string[]): Promise<Checked> {
  const { command, args: first } = serverCommand(["check-tools", ...args]);
  const env = serverEnvironment({ HOME: dir.path, TOOLS_DIR: join(dir.path, "tools") });
  return await new Promise((resolve) => {
    execFile(
      command,
      first,
      { cwd: dir.path, env, timeout: 120_000 },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}

async function write(dir: TempDir, files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir.path, "tools", name);
    await Deno.mkdir(join(path, ".."), { recursive: true });
    await Deno.writeTextFile(path, typeof content === "string" ? content : JSON.stringify(content));
  }
}

const script = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: `The tool ${name}`,
  version: "1.0.0",
  tool_type: "script",
  interpreter: "deno run",
  entry_file: `${name}.ts`,
  input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  permissions: {},
  ...more,
});
const UPPER = 'import { tool } from "skillz";\ntool(({ text }: any) => ({ text: text.toUpperCase() }));\n';
const pipeline = (steps: unknown, more: Record<string, unknown> = {}) => ({
  name: "chain",
  description: "A chain",
  tool_type: "pipeline",
  input_schema: { type: "object", properties: { text: { type: "string" } } },
  pipeline_steps: steps,
  ...more,
});

Deno.test("check-tools finds nothing wrong with sound tools, and runs nothing of them", async () => {
  await using dir = await tempDir();
  await write(dir, {
    "upper/manifest.json": script("upper", {
      examples: [{ arguments: { text: "a" }, expect: { text: "never" } }],
    }),
    "upper/upper.ts": `Deno.writeTextFileSync("${dir.path}/ran", "");\n${UPPER}`,
    "chain/manifest.json": pipeline([{ tool: "upper", args: { text: "$input.text" } }]),
    "know/SKILL.md": "---\nname: know\ndescription: Knows something\n---\nText\n",
  });
  const result = await check(dir);
  equal(result.code, 0, result.stdout + result.stderr);
  equal(result.stdout, "3 folders, 0 errors, 0 warnings\n");
  equal(await Deno.stat(`${dir.path}/ran`).then(() => true, () => false), false);
});

Deno.test("check-tools names every fault with folder and field, as text and as JSON, and exits with 1", async () => {
  await using dir = await tempDir();
  await write(dir, {
    "empty/readme.txt": "nothing",
    "json/manifest.json": "{ not json",
    "schema/manifest.json": script("schema", {
      input_schema: { type: "object", properties: { a: { type: "date" } } },
    }),
    "schema/schema.ts": UPPER,
    "grant/manifest.json": script("grant", { permissions: { net: "everything", reads: [] } }),
    "grant/grant.ts": UPPER,
    "gone/manifest.json": script("gone"),
    "typo/manifest.json": script("typo"),
    "typo/typo.ts": "const x = 1;\nconst y = ;\n",
    "chain/manifest.json": pipeline([
      { name: "a", tool: "nothing", args: { text: "$b.text" } },
      { name: "b", tool: "memory", args: { action: "nope" } },
    ]),
    "know/SKILL.md": "No front matter\n",
  });
  const result = await check(dir, "--json");
  equal(result.code, 1, result.stderr);
  const report = JSON.parse(result.stdout);
  equal(report.ok, false);
  const told = Object.fromEntries(
    report.folders.map(({ folder, findings }: { folder: string; findings: Record<string, string>[] }) => [
      folder,
      findings.filter(({ level }) => level === "error").map(({ field, message }) =>
        `${field ?? ""}: ${message}`
      ),
    ]),
  ) as Record<string, string[]>;
  match(told.empty?.join() ?? "", /no manifest\.json/);
  match(told.json?.join() ?? "", /no JSON/);
  match(told.schema?.join() ?? "", /input_schema: /);
  match(told.grant?.join("\n") ?? "", /permissions/);
  match(told.gone?.join() ?? "", /gone\.ts/);
  deepEqual(told.typo, ["entry_file: typo.ts: SyntaxError: Expression expected (line 2, column 11)"]);
  equal(told.chain?.length, 3, told.chain?.join("\n") ?? "no findings");
  match(told.chain?.join("\n") ?? "", /no tool "nothing"[^]*later|later[^]*no tool "nothing"/);
  match(told.know?.join() ?? "", /SKILL\.md: it has no front matter/);
  equal(report.errors, Object.values(told).flat().length);
  const text = await check(dir);
  equal(text.code, 1);
  match(text.stdout, /^typo: error: entry_file: typo\.ts: SyntaxError/m);
  match(text.stdout, /\n8 folders, \d+ errors, \d+ warnings\n$/);
});

for (
  const [language, interpreter, file, good, bad, told] of [
    [
      "Python",
      "python3",
      "t.py",
      "def f():\n    return 1\n",
      "x = 1\nreturn 2\n",
      /'return' outside function \(line 2\)/,
    ],
    [
      "JavaScript modules",
      "node",
      "t.js",
      'import "node:fs";\nawait 1;\n',
      'import "node:fs";\nconst x = ;\n',
      /SyntaxError: .* \(line 2\)/,
    ],
    ["CommonJS", "node", "t.cjs", "module.exports = 1;\n", "const x = ;\n", /SyntaxError: .* \(line 1\)/],
    ["Ruby", "ruby", "t.rb", "puts 1\n", "def x\n", /t\.rb:\d: syntax error/],
    ["Bash", "bash", "t.sh", "echo 1\n", "if true; then\n", /t\.sh: line \d: syntax error/],
    ["PHP", "php", "t.php", "<?php echo 1;\n", "<?php echo ;\n", /syntax error/i],
  ] as const
) {
  Deno.test({
    name: `check-tools checks the syntax of ${language} without running it`,
    ignore: needs(interpreter),
    async fn() {
      await using dir = await tempDir();
      for (const [name, code] of [["good", good], ["bad", bad]] as const) {
        await write(dir, {
          [`${name}/manifest.json`]: script(name, { interpreter, entry_file: file }),
          [`${name}/${file}`]: code,
        });
      }
      const { folders } = JSON.parse((await check(dir, "--json")).stdout);
      const errors = (folder: string) =>
        folders.find((one: { folder: string }) => one.folder === folder).findings
          .filter((finding: { level: string }) => finding.level === "error");
      deepEqual(errors("good"), []);
      match(errors("bad")[0]?.message ?? "no finding", told);
    },
  });
}

Deno.test("check-tools --run runs the examples on copies, pipelines and what they use included", async () => {
  await using dir = await tempDir();
  const example = (
    text: string,
  ) => [{ name: "one", arguments: { text: "a" }, expect: { structured: { text } } }];
  await write(dir, {
    "upper/manifest.json": script("upper", { examples: example("A") }),
    "upper/upper.ts": UPPER,
    "wrong/manifest.json": script("wrong", { examples: example("B") }),
    "wrong/wrong.ts": UPPER,
    "chain/manifest.json": pipeline([{ tool: "upper", args: { text: "$input.text" } }], {
      examples: [{ arguments: { text: "b" }, expect: { structured: { output: { text: "B" } } } }],
    }),
  });
  const all = await check(dir, "--run", "--json");
  equal(all.code, 1, all.stderr);
  const findings = JSON.parse(all.stdout).folders.flatMap((one: { findings: unknown[] }) => one.findings);
  equal(findings.length, 1, all.stdout);
  match(findings[0].message, /example one did not answer as it says: .*"A".*"B"/);
  equal(findings[0].field, "examples[0]");
  // One folder alone; the tool that it uses lies beside it.
  const one = await check(dir, "--run", join(dir.path, "tools", "chain"));
  equal(one.code, 0, one.stdout + one.stderr);
  match(one.stdout, /^1 folder, 0 errors/);
  // Nothing was left in TOOLS_DIR.
  deepEqual((await readdir(join(dir.path, "tools"))).sort(), ["chain", "upper", "wrong"]);
});

Deno.test("check-tools exits with 2 for folders that are not there and flags that it does not know", async () => {
  await using dir = await tempDir();
  const gone = await check(dir, "nowhere");
  equal(gone.code, 2);
  match(gone.stderr, /Cannot check .*nowhere: there is no such folder/);
  equal(gone.stdout, "");
  equal((await check(dir, "--fast")).code, 2);
  await Deno.mkdir(`${dir.path}/empty`);
  const empty = await check(dir, "empty");
  equal(empty.code, 2);
  match(empty.stderr, /Cannot check .*empty: it holds no tool's folder/);
  // TOOLS_DIR itself need not be there yet.
  deepEqual(await check(dir), { code: 0, stdout: "0 folders, 0 errors, 0 warnings\n", stderr: "" });
});
