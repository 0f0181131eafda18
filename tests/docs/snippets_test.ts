import { deepEqual, ok } from "node:assert/strict";
import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { needs } from "../support/needs.ts";
import { readSource, ROOT, trackedFiles } from "../support/repository.ts";
import { type Snippet, snippetsOf } from "../support/snippets.ts";
import { type TempDir, tempDir } from "../support/temp_dir.ts";

/**
 * Every block of our Markdown that a reader would run or copy is proved, by what the comment before it says:
 * `<!-- test: run -->` runs it in an empty folder, with `deno` on PATH and a HOME and TOOLS_DIR of its own, and wants
 * exit code 0; `<!-- test: run, prints TEXT -->` wants TEXT in its output too; `<!-- test: parse -->` only checks that
 * it is well formed; `<!-- test: covered by tests/…_test.ts -->` names the test that does the same.
 */
const files = (await trackedFiles()).filter((path) => path.endsWith(".md") && !/^(src|tests)\//.test(path));

const run = promisify(execFile);
const EXTENSIONS: Readonly<Record<string, string>> = {
  sh: "sh",
  ts: "ts",
  js: "mjs",
  python: "py",
  ruby: "rb",
};

for (const file of files) {
  for (const snippet of snippetsOf(await readSource(file))) {
    const [, verb = "", rest = ""] = /^(\S+?)(?:,? +(.*))?$/.exec(snippet.mark ?? "") ?? [];
    Deno.test({
      name: `${file}:${snippet.line} ${snippet.language} block: ${snippet.mark ?? "has no mark"}`,
      ignore: verb === "run" && snippet.language === "python" && needs("python3"),
      async fn() {
        if (verb === "run") {
          const output = await runSnippet(snippet);
          ok(output.includes(rest.replace(/^prints /, "")), output);
        } else if (verb === "parse") await parse(snippet);
        else if (verb === "covered") ok((await Deno.stat(join(ROOT, rest.replace(/^by /, "")))).isFile);
        else throw new Error("Cannot prove the block: it needs a comment <!-- test: … --> right before it");
      },
    });
  }
}

Deno.test("README.md shows at least the two commands", async () => {
  const commands = snippetsOf(await readSource("README.md")).filter((snippet) => snippet.language === "sh");
  const shown = (task: string) =>
    commands.some(({ code }) => code.includes(`npx -y deno@2.9.6 task ${task}`));
  deepEqual(["demo", "test"].filter((task) => !shown(task)), []);
});

async function runSnippet(snippet: Snippet): Promise<string> {
  await using dir = await tempDir();
  const { path, env } = await write(snippet, dir);
  const [program, ...args] = {
    sh: ["bash", "-euo", "pipefail"],
    ts: [Deno.execPath(), "run", "-A", "--config", `${ROOT}deno.json`],
    js: ["node"],
    python: ["python3"],
    ruby: ["ruby"],
  }[snippet.language] ?? [];
  if (program === undefined) throw new Error(`Cannot run ${snippet.language}: no program is known for it`);
  const { stdout, stderr } = await run(program, [...args, path], { cwd: dir.path, env, timeout: 120_000 });
  return `${stdout}\n${stderr}`;
}

async function parse(snippet: Snippet): Promise<void> {
  await using dir = await tempDir();
  const { path, env } = await write(snippet, dir);
  const check = (program: string, ...args: readonly string[]) =>
    run(program, [...args, path], { cwd: dir.path, env, timeout: 120_000 });
  if (snippet.language === "json") JSON.parse(snippet.code);
  else if (snippet.language === "jsonc") (await import("jsonc-parser")).parse(snippet.code);
  else if (snippet.language === "toml") (await import("smol-toml")).parse(snippet.code);
  else if (snippet.language === "yaml") (await import("yaml")).parse(snippet.code);
  else if (snippet.language === "sh") await check("bash", "-n");
  else if (snippet.language === "ts") await check(Deno.execPath(), "check", "--config", `${ROOT}deno.json`);
  else if (snippet.language === "js") await check("node", "--check");
  else if (snippet.language === "python") await check("python3", "-m", "py_compile");
  else if (snippet.language === "ruby") await check("ruby", "-c");
  else throw new Error(`Cannot parse ${snippet.language}: no parser is known for it`);
}

/** Writes the block into the folder, and says with which environment to run it. */
async function write(snippet: Snippet, dir: TempDir): Promise<{ path: string; env: Record<string, string> }> {
  const path = join(dir.path, `snippet.${EXTENSIONS[snippet.language] ?? snippet.language}`);
  await Deno.writeTextFile(path, snippet.code);
  const bin = join(dir.path, "bin");
  await Deno.mkdir(bin);
  await Deno.symlink(Deno.execPath(), join(bin, "deno"));
  const env = {
    PATH: [bin, Deno.env.get("PATH") ?? ""].join(delimiter),
    HOME: dir.path,
    TOOLS_DIR: join(dir.path, "tools"),
    SKILLZ_REPO: ROOT,
    NO_COLOR: "1",
    DENO_DIR: await denoDir(),
  };
  return { path, env };
}

async function denoDir(): Promise<string> {
  const { stdout } = await run(Deno.execPath(), ["info", "--json"]);
  return JSON.parse(stdout).denoDir;
}
