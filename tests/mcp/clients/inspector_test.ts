import assert from "node:assert/strict";
import { openHttp } from "../../fixtures/mcp/open_http.ts";
import { inspect } from "../../support/inspector.ts";
import { needs } from "../../support/needs.ts";
import { serverCommand } from "../../support/server.ts";
import { tempDir } from "../../support/temp_dir.ts";
import { STDIO_FIXTURE } from "../../transport/_raw_client.ts";

const OPTIONS = { ignore: needs("npm") };
const fixture = [Deno.execPath(), "run", "-A", STDIO_FIXTURE];

async function callsTool(server: readonly string[]): Promise<void> {
  // An option must follow the arguments, or the command counts as one of them.
  const call = ["--tool-arg", "a=1", "--method", "tools/call", "--tool-name", "echo"];
  const { code, stdout, stderr } = await inspect([...call, ...server]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout).structuredContent.args, { a: 1 });
}

Deno.test("the Inspector calls a tool over stdio", OPTIONS, () => callsTool(fixture));

for (const path of ["/mcp", "/sse"]) {
  Deno.test(`the Inspector calls a tool over ${path}`, OPTIONS, async () => {
    await using http = await openHttp();
    await callsTool([http.url + path]);
  });
}

Deno.test("the Inspector finds no error in the schemas of the built-in tools", OPTIONS, async () => {
  await using dir = await tempDir();
  const { command, args } = serverCommand(["--skills", "dev,sys,memory"]);
  const listing = ["--method", "tools/list", "--strict", "-e", `TOOLS_DIR=${dir.path}`, command, ...args];
  const { code, stdout, stderr } = await inspect(listing);
  assert.equal(code, 0, stderr);
  assert.ok(JSON.parse(stdout).tools.length > 8);
  // Fields that may hold any JSON value are worth a warning to it, and meant so by us.
  assert.doesNotMatch(stderr, /^Error: tool/m);
});

Deno.test("the Inspector verifies skills and the digests of their files", OPTIONS, async () => {
  const { code, stdout, stderr } = await inspect(["--method", "skills/list", "--verify", ...fixture]);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).outcome, "verified");
});
