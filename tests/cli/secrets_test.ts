import { deepEqual, doesNotMatch, equal, match, ok } from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";
import { waitFor } from "../support/wait_for.ts";

/** What must stay with the server, and what tools are promised. */
const VARIABLES = {
  AWS_SECRET_ACCESS_KEY: "aws-4f8a1c",
  GITHUB_TOKEN: "github-77d0e2",
  SKILLZ_AUTH_TOKEN: "client-c0ffee",
  SKILLZ_DATABASE_TOKEN: "database-90b1d5",
  SKILLZ_API_KEY: "secret value/52ab",
};
const OWN = /aws-4f8a1c|github-77d0e2|client-c0ffee|database-90b1d5/;
const SECRET = /secret value\/52ab|secret%20value%2F52ab/;

const PYTHON = `from skillz import tool
import os, sys
@tool
def main(mode: str):
    if mode == "environment": return dict(os.environ)
    print("stderr has", os.environ["SKILLZ_API_KEY"], file=sys.stderr)
    if mode == "raise": raise RuntimeError("cannot log in with " + os.environ["SKILLZ_API_KEY"])
    os._exit(3)`;
const TYPESCRIPT = `import { tool } from "skillz";
tool(({ mode }) => {
  if (mode === "environment") return Deno.env.toObject();
  throw new Error("GET https://x/?key=" + encodeURIComponent(Deno.env.get("SKILLZ_API_KEY")));
});`;

/** The server and everything it wrote while it ran. */
async function withServer(run: (server: TestServer) => Promise<void>, env: Record<string, string> = {}) {
  await using server = await startServer({ env: { ...VARIABLES, ...env } });
  await run(server);
  const audit = join(server.toolsDir, "audit");
  await waitFor(() => readFile(join(audit, "audit.jsonl")).then(() => true, () => false));
  for (const text of [server.stderr(), await readFile(join(audit, "audit.jsonl"), "utf8")]) {
    doesNotMatch(text, OWN);
    doesNotMatch(text, SECRET);
  }
}

for (
  const [language, interpreter, code] of [
    ["Python", "python3", PYTHON],
    ["Deno", "deno run", TYPESCRIPT],
  ] as const
) {
  Deno.test({
    name: `B46 a ${language} tool gets its secrets and nothing of the server; its failures tell none of them`,
    ignore: needs("python3"),
    async fn() {
      await withServer(async (server) => {
        await server.text("register_script", {
          name: "t",
          description: "Tells its environment",
          interpreter,
          code,
        });
        const told = await server.call("t", { mode: "environment" });
        equal(told.isError, undefined, resultText(told));
        const environment = told.structuredContent ?? {};
        equal(environment.SKILLZ_API_KEY, VARIABLES.SKILLZ_API_KEY);
        deepEqual(
          Object.keys(environment).filter((name) => /AWS|GITHUB|AUTH|DATABASE|TOOLS_DIR/.test(name)),
          [],
        );
        doesNotMatch(JSON.stringify(told), OWN);
        for (const mode of ["raise", "exit"]) {
          const failed = await server.call("t", { mode });
          equal(failed.isError, true);
          doesNotMatch(JSON.stringify(failed), SECRET);
          match(resultText(failed), /\[secret\]/);
        }
      });
    },
  });
}

Deno.test("B46 execute_code sees no secret at all", async () => {
  await withServer(async (server) => {
    for (const language of ["javascript", "typescript"]) {
      const result = await server.call("execute_code", { language, code: "return Deno.env.toObject()" });
      doesNotMatch(JSON.stringify(result), OWN);
      doesNotMatch(JSON.stringify(result), SECRET);
    }
  });
});

/** Programs of one name that write their environment to a file and fail, or answer what `answers` says. */
async function fakeProgram(
  folder: string,
  { name, dump, answers = "" }: { name: string; dump: string; answers?: string },
) {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(
    path,
    `#!/bin/sh\n/usr/bin/env >> "${dump}/${name}"\ncase "$*" in ${answers} esac\nexit 1\n`,
  );
  await chmod(path, 0o755);
}

Deno.test("B46 installers and compilers get neither the server's variables nor the tools' secrets", async () => {
  await using dir = await tempDir();
  const [bin, dump, sysroot] = ["bin", "dump", "sysroot"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(dump);
  await mkdir(join(sysroot, "lib/rustlib/wasm32-wasip1/lib/std"), { recursive: true });
  const rust = `"--print sysroot") echo "${sysroot}"; exit 0;; "-vV") echo "host: none"; exit 0;;`;
  await fakeProgram(bin, { name: "uv", dump });
  await fakeProgram(bin, { name: "npm", dump });
  await fakeProgram(bin, { name: "git", dump });
  await fakeProgram(bin, { name: "rustc", dump, answers: rust });
  await fakeProgram(join(sysroot, "bin"), { name: "cargo", dump });
  const path = `${bin}:${Deno.env.get("PATH")}`;
  await withServer(async (server) => {
    const script = { description: "d", code: "1" };
    const calls = [
      ["register_script", {
        ...script,
        name: "a",
        interpreter: "python3",
        dependencies: ["requests==2.32.0"],
      }],
      ["register_script", { ...script, name: "b", interpreter: "node", dependencies: ["left-pad@1.3.0"] }],
      ["build_tool", { name: "c", description: "d", code: "fn main() {}" }],
      ["build_tool", { name: "d", description: "d", code: "fn main() {}", dependencies: ["itoa@1"] }],
    ] as const;
    for (const [name, args] of calls) equal((await server.call(name, args)).isError, true);
  }, { PATH: path, SKILLZ_SANDBOX: "none" });
  const names = await readdir(dump);
  for (const wanted of ["uv", "npm", "rustc", "cargo"]) {
    ok(names.includes(wanted), `${wanted} was not run: ${names}`);
  }
  for (const name of names) {
    const text = await readFile(join(dump, name), "utf8");
    match(text, /^PATH=/m);
    doesNotMatch(text, OWN, name);
    doesNotMatch(text, SECRET, name);
    doesNotMatch(text, /^(AWS_|GITHUB_|SKILLZ_(?!PROCESS)|TOOLS_DIR)/m, name);
  }
});
