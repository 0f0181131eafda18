import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { type ServerProgram, startServer, type TestServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

const MODULE = 'import { tool } from "skillz";\ntool(({ n }) => ({ twice: n * 2 }));\n';
const NUMBER = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

/** A tool in each language that has a helper library, with what it needs. */
const SCRIPTS: Readonly<Record<string, JsonObject>> = {
  bash: {
    interpreter: "bash",
    code: '. skillz.sh\nskillz_result "{\\"twice\\":$(( $(skillz_arg n) * 2 ))}"\n',
  },
  deno: { extension: "ts", code: MODULE.replace("({ n })", "({ n }: { n: number })") },
  node: { extension: "mjs", code: MODULE },
  node_require: {
    extension: "cjs",
    code: MODULE.replace(/^import.*$/m, 'const { tool } = require("skillz");'),
  },
  python3: {
    extension: "py",
    code: 'from skillz import tool\n@tool\ndef main(n: int):\n    return {"twice": n * 2}\n',
  },
  ruby: { extension: "rb", code: 'require "skillz"\nSkillz.tool { |n:| { twice: n * 2 } }\n' },
};

const ABOUT = { name: "new", description: "d" };
/** Calls that can't but write to TOOLS_DIR. */
const WRITING: readonly [tool: string, args: JsonObject][] = [
  ["register_script", { ...ABOUT, code: "echo hi", interpreter: "bash" }],
  ["pipeline", { ...ABOUT, action: "create", steps: [{ tool: "list_tools" }] }],
  ["delete_tool", { tool_name: "bash" }],
  ["add_skill_repo", { url: "file:///nowhere" }],
  ["call_tool", { tool_name: "uninstalled" }],
  ...needs("rustc", "wasm32-wasip1")
    ? []
    : [["build_tool", { ...ABOUT, code: "fn main() {}" }] as [string, JsonObject]],
];

/** The server where these folders can't be written: for root only another view of the file system does that. */
function readOnly(...folders: string[]): ServerProgram {
  const main = new URL("../../main.ts", import.meta.url).pathname;
  const args = ["--dev-bind", "/", "/", ...folders.flatMap((path) => ["--ro-bind", path, path])];
  const caps = Deno.uid() === 0 ? ["--cap-add", "ALL"] : [];
  return { command: "bwrap", args: [...args, ...caps, Deno.execPath(), "run", "-A", "--frozen", main] };
}

async function callAll(server: TestServer, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const result = await server.call("call_tool", { tool_name: name, arguments: { n: 21 } });
    assert.equal(resultText(result).split("\n")[0], '{"twice":42}', `${name}: ${resultText(result)}`);
  }
}

Deno.test({
  name: "a read-only TOOLS_DIR serves and runs its tools, and making one fails with the reason",
  ignore: needs("bwrap", "bash"),
  async fn(t) {
    await using dir = await tempDir();
    const [toolsDir, home] = [join(dir.path, "tools"), join(dir.path, "home")];
    await mkdir(toolsDir);
    await mkdir(home);
    const names = Object.keys(SCRIPTS).filter((name) => name === "deno" || !needs(name.replace(/_.*$/, "")));
    {
      await using server = await startServer({ toolsDir });
      for (const name of names) {
        const script = { name, description: "Doubles", input_schema: NUMBER, ...SCRIPTS[name] };
        await server.text("register_script", script);
      }
    }
    // As a folder has it that was copied from elsewhere.
    for (const name of await readdir(toolsDir)) {
      if (names.includes(name)) continue;
      await Deno.remove(join(toolsDir, name), { recursive: true });
    }
    await mkdir(join(toolsDir, "uninstalled"));
    const uninstalled = {
      name: "uninstalled",
      description: "d",
      tool_type: "script",
      interpreter: "deno run",
      dependencies: ["npm:left-pad@1.3.0"],
    };
    await Deno.writeTextFile(join(toolsDir, "uninstalled", "manifest.json"), JSON.stringify(uninstalled));
    await Deno.writeTextFile(join(toolsDir, "uninstalled", "uninstalled.ts"), "");
    const before = (await readdir(toolsDir)).sort();
    const places = { "with a home folder": [toolsDir], "with nothing but /tmp": [toolsDir, home] };
    for (const [what, folders] of Object.entries(places)) {
      for (const sandbox of ["none", "auto"]) {
        await t.step(`${what}, SKILLZ_SANDBOX=${sandbox}`, async () => {
          const env = { SKILLZ_SANDBOX: sandbox, HOME: home };
          await using server = await startServer({ toolsDir, env, program: readOnly(...folders) });
          const listed = resultText(await server.call("list_tools", { type: "script" }));
          for (const name of names) assert.match(listed, new RegExp(`- ${name}: Doubles`));
          await callAll(server, names);
          const code = "return (await tools.deno({ n: 4 })).twice";
          assert.equal((await server.call("execute_code", { code })).structuredContent?.result, 8);
          for (const [tool, args] of WRITING) {
            const refused = await server.call(tool, args);
            assert.equal(refused.isError, true, tool);
            assert.match(
              resultText(refused),
              /Cannot write to TOOLS_DIR .*: its file system is read-only/,
              tool,
            );
          }
          const memory = await server.call("memory", { action: "store", tool_name: "x", key: "k", value: 1 });
          assert.equal(memory.isError, true);
        });
      }
    }
    assert.deepEqual((await readdir(toolsDir)).sort(), before);
  },
});
