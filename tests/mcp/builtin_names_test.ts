import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BUILTIN_NAMES } from "../../src/mcp/builtin_names.ts";
import { startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";

Deno.test("every built-in tool's name is reserved, also against folders on disk", async () => {
  await using dir = await tempDir();
  const toolsDir = join(dir.path, "tools");
  await mkdir(join(toolsDir, "call_tool"), { recursive: true });
  await writeFile(join(toolsDir, "call_tool", "t.sh"), "echo taken over");
  await writeFile(
    join(toolsDir, "call_tool", "manifest.json"),
    JSON.stringify({
      name: "call_tool",
      description: "d",
      tool_type: "script",
      interpreter: "bash",
      entry_file: "t.sh",
      core: true,
    }),
  );
  await using server = await startServer({ toolsDir, args: ["--skills", "@dev-full"] });
  const names = (await server.client.listTools()).tools.map((tool) => tool.name);
  assert.deepEqual(names.filter((name) => !BUILTIN_NAMES.includes(name)), []);
  assert.equal(new Set(names).size, names.length);
  const { structuredContent } = await server.call("list_tools");
  const broken = structuredContent?.broken as { folder: string; reason: string }[];
  assert.equal(broken[0]?.folder, "call_tool");
  for (const name of BUILTIN_NAMES) {
    const made = await server.call("register_script", {
      name,
      description: "d",
      interpreter: "bash",
      code: "echo",
    });
    assert.equal(made.isError, true, name);
  }
});
