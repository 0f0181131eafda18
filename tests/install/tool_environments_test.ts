import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCK_FILE, ToolEnvironments } from "../../src/install/tool_environments.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { testManifest } from "../support/test_manifest.ts";
import { installBench, TIMEOUT_MS } from "./_bench.ts";

const options = { timeoutMs: TIMEOUT_MS };

async function tool(folder: string, interpreter: string, dependencies: string[]): Promise<Tool> {
  const directory = join(folder, crypto.randomUUID());
  await mkdir(directory);
  return { name: "t", directory, hash: "h", manifest: testManifest("t", { interpreter, dependencies }) };
}

Deno.test("ToolEnvironments.prepare() puts the lock into the staged folder; runtime() finds the environment", async () => {
  await using bench = await installBench();
  const environments = new ToolEnvironments(bench.store);
  const made = await tool(bench.path, "deno run", ["npm:left-pad@1.3.0"]);
  await environments.prepare(made, options);
  assert.match(await readFile(join(made.directory, LOCK_FILE), "utf8"), /left-pad/);
  const runtime = await environments.runtime(made, options);
  assert.ok(runtime?.lockFile?.startsWith(runtime.directory));
  assert.equal(await environments.runtime(made, options), runtime);
});

Deno.test("ToolEnvironments.runtime() is undefined without dependencies, and refuses other languages", async () => {
  await using bench = await installBench();
  const environments = new ToolEnvironments(bench.store);
  assert.equal(await environments.runtime(await tool(bench.path, "bash", [])), undefined);
  await assert.rejects(
    environments.prepare(await tool(bench.path, "ruby", ["rake"])),
    /for Python, Node and Deno, its interpreter is "ruby"/,
  );
});
