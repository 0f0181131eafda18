import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../../src/base/json.ts";
import { resultText } from "../../../src/base/tool_result.ts";
import { spawnProcess } from "../../../src/process/spawn.ts";
import { serverCommand, serverEnvironment, startServer, type TestServer } from "../../support/server.ts";
import { tempDir } from "../../support/temp_dir.ts";

const MANY = 1000;
const LONG = "Tells the weather of a town. " + "It knows every town there is. ".repeat(50);

/** A page of one answer, as text and as data. */
async function page(server: TestServer, args: JsonObject): Promise<{ text: string; data: JsonObject }> {
  const result = await server.call("list_tools", args);
  assert.ok(!result.isError, resultText(result));
  return { text: resultText(result), data: result.structuredContent ?? {} };
}

function rowsOf(data: JsonObject): JsonObject[] {
  return data.tools as JsonObject[];
}

Deno.test(`list_tools pages ${MANY} tools, none twice and none left out`, async (t) => {
  await using dir = await tempDir();
  const names = Array.from({ length: MANY }, (_, n) => `tool_${String(n).padStart(4, "0")}`);
  for (const [n, name] of names.entries()) {
    await Deno.mkdir(join(dir.path, name));
    const type = n % 2 === 0
      ? { tool_type: "pipeline", pipeline_steps: [{ tool: "list_tools" }] }
      : { tool_type: "script", interpreter: "bash", entry_file: "run.sh" };
    const manifest = { name, description: `${name}: ${LONG}`, ...type };
    await Deno.writeTextFile(join(dir.path, name, "manifest.json"), JSON.stringify(manifest));
    if (n % 2 === 1) await Deno.writeTextFile(join(dir.path, name, "run.sh"), "echo hi");
  }
  for (let n = 0; n < 60; n++) await Deno.mkdir(join(dir.path, `broken_${n}`));
  await using server = await startServer({ toolsDir: dir.path });
  const first = await page(server, {});
  await t.step("one answer is bounded, and tells how to go on", () => {
    assert.ok(first.text.length < 45_000, `${first.text.length} characters`);
    assert.ok(JSON.stringify(first.data.tools).length < 45_000);
    assert.match(first.text, /^pipeline \(\d+ of 500\)$|^script \(\d+ of 500\)$/m);
    assert.match(
      first.text,
      /These are \d+ of \d+\. Narrow the list by query, type, tag or skill, or read on/,
    );
    assert.match(first.text, /: Tells the weather of a town\. …/);
    assert.match(first.text, /Could not be loaded \(60\)[^]*- and 10 more$/);
  });
  await t.step("the pages together are the whole list, grouped by type", async () => {
    const seen: JsonObject[] = [];
    for (let next: JsonObject = first.data;;) {
      seen.push(...rowsOf(next));
      assert.equal(next.total, first.data.total);
      if (next.next_cursor === undefined) break;
      next = (await page(server, { cursor: next.next_cursor })).data;
    }
    assert.equal(seen.length, first.data.total);
    const types = seen.map(({ type }) => String(type));
    assert.deepEqual(types.filter((type, n) => type !== types[n - 1]), ["built-in", "script", "pipeline"]);
    assert.deepEqual(seen.filter(({ type }) => type !== "built-in").map(({ name }) => name).sort(), names);
  });
  await t.step("a narrow question has one page, and full detail the whole description", async () => {
    const { text, data } = await page(server, { query: "tool_0007", detail: "full" });
    assert.equal(data.next_cursor, undefined);
    assert.deepEqual(rowsOf(data).map(({ description }) => description), [`tool_0007: ${LONG}`]);
    assert.doesNotMatch(text, /These are/);
  });
  await t.step("a cursor that it did not give is refused", async () => {
    const result = await server.call("list_tools", { cursor: "x" });
    assert.equal(result.isError, true);
    assert.match(resultText(result), /the cursor is unknown/);
  });
  await t.step("pipeline list is bounded too", async () => {
    const text = await server.text("pipeline", { action: "list", tag: undefined });
    assert.ok(text.length < 20_000);
    assert.match(text, /- and 400 more: list_tools \{"type": "pipeline"\}/);
  });
  await t.step("skillz list writes all of them", async () => {
    const { command, args } = serverCommand(["list"]);
    const env = serverEnvironment({ TOOLS_DIR: dir.path, HOME: dir.path });
    await using child = spawnProcess({ command, args, cwd: dir.path, env }, { stdin: "null" });
    const output = await new Response(child.stdout).text();
    for (const name of names) assert.ok(output.includes(`- ${name}: `), name);
    assert.doesNotMatch(output, /cursor/);
  });
});
