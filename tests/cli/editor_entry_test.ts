import assert from "node:assert/strict";
import { parse as parseToml } from "smol-toml";
import { isJsonObject } from "../../src/base/json.ts";
import { withServerEntry } from "../../src/cli/editor_entry.ts";
import { type EditorName, EDITORS } from "../../src/cli/editors.ts";

const place = { home: "/home/ada", cwd: "/project", os: "linux" };
const entry = { command: "/bin/skillz", args: ["serve"], env: { TOOLS_DIR: "/t" } };

Deno.test("withServerEntry() makes a new file for every editor", async () => {
  for (const name of Object.keys(EDITORS) as EditorName[]) {
    const config = EDITORS[name](place);
    const text = await withServerEntry("", { config, entry });
    const value = config.format === "toml" ? parseToml(text) : JSON.parse(text);
    let servers: unknown = value;
    for (const key of config.servers) servers = isJsonObject(servers) ? servers[key] : undefined;
    const skillz = isJsonObject(servers) ? servers.skillz : undefined;
    assert.deepEqual(JSON.parse(JSON.stringify(skillz)), { ...config.extra, ...entry }, name);
  }
});

Deno.test("withServerEntry() keeps comments and other servers of a JSON file", async () => {
  const before =
    '{\n  // mine\n  "mcpServers": { "other": { "command": "x" }, "skillz": { "command": "old" } },\n}\n';
  const text = await withServerEntry(before, { config: EDITORS.cursor(place), entry });
  assert.match(text, /\/\/ mine/);
  assert.match(text, /"other": \{ "command": "x" \}/);
  assert.doesNotMatch(text, /"old"/);
});

Deno.test("withServerEntry() replaces just its own table of a TOML file", async () => {
  const before =
    '# mine\nmodel = "m"\n[mcp_servers.skillz]\ncommand = "old"\n[mcp_servers.skillz.env]\nA = "1"\n[mcp_servers.other]\ncommand = "x" # keep\n';
  const text = await withServerEntry(before, { config: EDITORS.codex(place), entry });
  assert.match(text, /# mine[\s\S]*# keep/);
  assert.deepEqual(JSON.parse(JSON.stringify(parseToml(text))), {
    model: "m",
    mcp_servers: { other: { command: "x" }, skillz: entry },
  });
});

Deno.test("withServerEntry() refuses a file that it can't read", async () => {
  await assert.rejects(
    withServerEntry('{"mcpServers": ', { config: EDITORS.cursor(place), entry }),
    /is not valid JSON, nothing was changed/,
  );
  await assert.rejects(withServerEntry("[1]", { config: EDITORS.cursor(place), entry }), /is not valid JSON/);
  await assert.rejects(withServerEntry("a = ", { config: EDITORS.codex(place), entry }), /is not valid TOML/);
});
