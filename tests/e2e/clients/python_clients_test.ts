import assert from "node:assert/strict";
import { mcpPython, type McpRelease } from "../../support/mcp_python.ts";
import { needs } from "../../support/needs.ts";
import { serverCommand, serverEnvironment } from "../../support/server.ts";
import { tempDir } from "../../support/temp_dir.ts";
import { FEATURE_TOOLS, LANGUAGE_TOOLS } from "./tools.ts";

const SCRIPT = new URL("../../fixtures/mcp/python_tools.py", import.meta.url).pathname;

async function makesAndCalls(python: McpRelease, era: "legacy" | "modern"): Promise<void> {
  await using dir = await tempDir();
  const languages = LANGUAGE_TOOLS.filter((tool) => !needs(tool.needs));
  const file = `${dir.path}/tools.json`;
  await Deno.writeTextFile(
    file,
    JSON.stringify({
      env: serverEnvironment({ HOME: dir.path, TOOLS_DIR: `${dir.path}/tools` }),
      cwd: dir.path,
      tools: [...languages.map((tool) => tool.arguments), ...FEATURE_TOOLS],
      languages: languages.map((tool) => tool.name),
    }),
  );
  const { command, args } = serverCommand();
  const { code, stdout, stderr } = await new Deno.Command(await mcpPython(python), {
    args: [SCRIPT, era, file, command, ...args],
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
    listed: true,
    languages: Object.fromEntries(languages.map((tool) => [tool.name, { said: "grüezi" }])),
    failed: [true, true],
    progress: [1, 2, 3],
    name: { name: "Ada" },
    model: "Paris",
    roots: ["file:///tmp/work"],
    nested: { name: "Ada" },
  });
}

for (const [python, era] of [["current", "legacy"], ["current", "modern"], ["old", "legacy"]] as const) {
  const program = python === "current" ? "mcp-python" : "mcp-python-old";
  Deno.test(`Python's ${python} package makes and calls tools in every language (${era})`, {
    ignore: needs(program, "python3", "bash"),
  }, () => makesAndCalls(python, era));
}
