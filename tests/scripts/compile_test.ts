import { equal, match, ok } from "node:assert/strict";
import { mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { findProgram } from "../../src/process/find_program.ts";
import { startHttpServer } from "../support/http_server.ts";
import { needs } from "../support/needs.ts";
import { ROOT } from "../support/repository.ts";
import { serverEnvironment, startServer, type TestServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

const PATH = Deno.env.get("PATH") ?? "";

Deno.test({
  name: "compile makes a binary that needs nothing beside it",
  ignore: needs("compile-pair", "bash", "python3", "rustc", "wasm32-wasip1"),
  async fn(t) {
    await using dir = await tempDir();
    const binary = join(dir.path, "skillz");
    const pair = Deno.env.get("SKILLZ_TEST_COMPILE_PAIR") ?? "own";
    const args = ["run", "-A", `${ROOT}scripts/compile.ts`, "--output", binary];
    const built = await (pair === "own"
      ? new Deno.Command(Deno.execPath(), { args })
      : new Deno.Command(Deno.execPath(), {
        args: [...args, "--deno", join(pair, "deno")],
        env: { DENORT_BIN: join(pair, "denort") },
      })).output();
    ok(built.success, new TextDecoder().decode(built.stderr));
    const program = { command: binary, args: [] };

    await t.step("it is the server, with its texts, its database and every kind of tool", async () => {
      const withDeno = await programFolder(dir.path, { deno: Deno.execPath() });
      await using server = await startServer({ program, env: { PATH: `${withDeno}:${PATH}` } });
      const { version } = server.client.getServerVersion() ?? {};
      equal(version, JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`)).version);
      await makeTools(server);
      for (const name of ["in_python", "in_typescript", "in_rust"]) {
        const made = await server.text("call_tool", { tool_name: name, arguments: { n: 4 } });
        equal(JSON.parse(made).twice, 8, name);
      }
      await server.text("memory", { action: "store", tool_name: "in_python", key: "k", value: 7 });
      match(await server.text("memory", { action: "get", tool_name: "in_python", key: "k" }), /7/);
      const { contents } = await server.client.readResource({ uri: "skillz://guide" });
      match(JSON.stringify(contents), /in_typescript/);
      await runsCode(server, "in_rust");
      equal(server.noise().length, 0);
    });

    await t.step("without a Deno on the machine it brings its own, confined as ever", async () => {
      const bare = await programFolder(dir.path, await programs("sh", "bash", "bwrap"));
      await using server = await startServer({ program, env: { PATH: bare } });
      const code = 'import { tool } from "skillz";\ntool(({ n }: { n: number }) => ({ twice: 2 * n }));';
      const tool = { name: "in_typescript", description: "Doubles", interpreter: "deno run", code };
      await server.text("register_script", tool);
      await runsCode(server, "in_typescript");
      const result = await server.call("execute_code", {
        language: "typescript",
        code: 'return await Deno.readTextFile("/etc/hostname");',
      });
      equal(result.isError, true);
      match(resultText(result), /read access|permissions/);
    });

    await t.step("over HTTP it says that it is well", async () => {
      await using server = await startHttpServer({ program });
      const answer = await fetch(`${server.url}/health`);
      equal(answer.status, 200);
      await answer.body?.cancel();
    });

    await t.step("on the command line a sandbox is in force where this Deno finds one", async () => {
      const sandboxes = async (command: string, args: string[]) => {
        const { stdout } = await new Deno.Command(command, {
          args: [...args, "doctor"],
          env: serverEnvironment({ HOME: dir.path, TOOLS_DIR: join(dir.path, "tools") }),
          clearEnv: true,
        }).output();
        return /Sandbox +(.*)/.exec(new TextDecoder().decode(stdout))?.[1];
      };
      const found = await sandboxes(binary, []);
      ok(found);
      equal(found, await sandboxes(Deno.execPath(), ["run", "-A", `${ROOT}main.ts`]));
    });
  },
});

/** Code in TypeScript is checked, run, and reaches tools. */
async function runsCode(server: TestServer, tool: string): Promise<void> {
  const code = `const { twice } = await tools.${tool}({ n: 21 }); print("done"); return twice;`;
  match(await server.text("execute_code", { language: "typescript", code }), /done[^]*42/);
  const wrong = await server.call("execute_code", {
    language: "typescript",
    code: 'const n: number = "text"; return n;',
  });
  equal(wrong.isError, true);
  match(resultText(wrong), /line 1, column 7/);
}

async function makeTools(server: TestServer): Promise<void> {
  const inputs = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const tool = (name: string) => ({ name, description: "Doubles", input_schema: inputs });
  await server.text("register_script", {
    ...tool("in_python"),
    interpreter: "python3",
    code: "from skillz import tool\n\n@tool\ndef double(n):\n    return {'twice': 2 * n}\n",
  });
  await server.text("register_script", {
    ...tool("in_typescript"),
    interpreter: "deno run",
    code: 'import { tool } from "skillz";\ntool(({ n }: { n: number }) => ({ twice: 2 * n }));\n',
  });
  await server.text("build_tool", {
    ...tool("in_rust"),
    code: `fn main() {
      let args = std::env::var("SKILLZ_ARGUMENTS").unwrap();
      let n: i64 = args.chars().filter(|c| c.is_ascii_digit()).collect::<String>().parse().unwrap();
      println!("{{\\"twice\\": {}}}", 2 * n);
    }`,
  });
}

/** A folder for PATH that holds just these programs. */
async function programFolder(parent: string, programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(parent, `bin-${Object.keys(programs).join("-")}`);
  await mkdir(folder);
  for (const [name, path] of Object.entries(programs)) await symlink(path, join(folder, name));
  return folder;
}

/** Where the named programs are; those that are not there are left out. */
async function programs(...names: string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const path = await findProgram(name, PATH);
    if (path !== undefined) found[name] = await realpath(path);
  }
  return found;
}
