import assert from "node:assert/strict";
import { mcpPython, type McpRelease } from "../../support/mcp_python.ts";

const SCRIPT = new URL("../../fixtures/mcp/python_client.py", import.meta.url).pathname;

const EXPECTED = {
  listed: true,
  echo: { a: 1 },
  bare: {},
  failed: [true, "it broke"],
  unknown: true,
  progress: [1, 2, 3],
  form: [{ action: "accept", content: { name: "Ada" } }, { action: "accept", content: { colour: "green" } }],
  together: 3,
  asked: ["colour", "name", "name", "roots", "sample"],
  prompt: "Hello you",
  resource: "first",
};

/** Runs the Python client against a server and checks everything it saw. */
export async function checkPython(
  python: McpRelease,
  era: "legacy" | "modern",
  server: readonly string[],
): Promise<void> {
  const { code, stdout, stderr } = await new Deno.Command(await mcpPython(python), {
    args: [SCRIPT, era, ...server],
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const notified = era === "legacy" ? { notified: ["notifications/tools/list_changed"] } : {};
  assert.deepEqual(JSON.parse(text), { ...EXPECTED, ...notified });
}
