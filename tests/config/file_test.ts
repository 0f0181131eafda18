import { deepEqual, equal, match, ok } from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FileSettings, readConfigFiles } from "../../src/config/file.ts";
import { tempDir } from "../support/temp_dir.ts";

async function read(text: string): Promise<FileSettings> {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "skillz.toml"), text);
  return await readConfigFiles({ cwd: dir.path, toolsDir: "/no/such/folder" });
}

Deno.test("readConfigFiles() has nothing to say when there is no file", async () => {
  const settings = await readConfigFiles({ cwd: "/no/such/folder", toolsDir: "/etc/passwd" });
  deepEqual(settings, {
    servers: {},
    policy: undefined,
    http: { allowedHosts: [], allowedOrigins: [] },
    problems: [],
  });
});

Deno.test("readConfigFiles() reads servers with everything filled in", async () => {
  const { servers, problems } = await read(`
    [servers.time]
    command = "uvx"
    args = ["mcp-server-time"]
    env = { KEY = "x", PORT = 80, ON = true }
    [servers.remote]
    url = "https://example.com/mcp"
    headers = { Authorization = "Bearer x" }
    disabled = true
  `);
  deepEqual(problems, []);
  deepEqual(servers, {
    time: {
      command: "uvx",
      args: ["mcp-server-time"],
      env: { KEY: "x", PORT: "80", ON: "true" },
      headers: {},
      disabled: false,
    },
    remote: {
      url: "https://example.com/mcp",
      args: [],
      env: {},
      headers: { Authorization: "Bearer x" },
      disabled: true,
    },
  });
});

Deno.test("readConfigFiles() reports a broken file with the place, and shows nothing of it", async () => {
  const { servers, problems } = await read('[servers.a]\ncommand = "x"\nenv = { KEY = "hunter2" \n\nx = \n');
  deepEqual(servers, {});
  equal(problems.length, 1);
  match(problems[0] ?? "", /skillz\.toml: line \d+, column \d+: /);
  ok(!problems[0]?.includes("hunter2"));
  ok(!problems[0]?.includes("\n"));
});

Deno.test("readConfigFiles() keeps a policy that nobody can take for none when a file is broken", async () => {
  const { policy } = await read("[policy.deny]\nnet = [\n");
  deepEqual(policy, { workspace: "unreadable" });
});

Deno.test("readConfigFiles() takes the policy of TOOLS_DIR for the user's own, also when that is the current folder", async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, "skillz.toml"), "[policy.default]\nnet = true\n");
  const { policy } = await readConfigFiles({ cwd: dir.path, toolsDir: dir.path });
  deepEqual(policy, { own: { default: { net: true } } });
});

Deno.test("readConfigFiles() reports a bad server and keeps the others", async () => {
  const bad: Record<string, RegExp> = {
    'x = { command = "a", url = "https://b" }': /both or none/,
    "x = {}": /both or none/,
    "x = 1": /no table/,
    'x = { command = ["a"] }': /command is no text/,
    'x = { command = "" }': /command is no text/,
    'x = { url = "file:///etc/passwd" }': /url is no http/,
    'x = { command = "a", args = "b" }': /args is no list/,
    'x = { command = "a", args = [1] }': /args is no list/,
    'x = { command = "a", env = ["b"] }': /env is no table/,
    'x = { command = "a", env = { B = ["hunter2"] } }': /env is no table of texts/,
    'x = { command = "a", disabled = "no" }': /disabled is neither/,
    'x = { command = "a", comand = "b" }': /comand is not known/,
    '"a b" = { command = "a" }': /the name may hold/,
  };
  for (const [line, reason] of Object.entries(bad)) {
    const { servers, problems } = await read(`[servers]\n${line}\ngood = { command = "c" }\n`);
    deepEqual(Object.keys(servers), ["good"], line);
    equal(problems.length, 1, line);
    match(problems[0] ?? "", reason);
    ok(!problems[0]?.includes("hunter2"));
  }
});

Deno.test("readConfigFiles() reports tables that it does not know, and servers that are no table", async () => {
  match((await read('[server.a]\ncommand = "x"\n')).problems.join(), /\[server\] is not known/);
  match((await read("servers = 1\n")).problems.join(), /servers is no table/);
});

Deno.test("readConfigFiles() reports a file that can't be read", async () => {
  await using dir = await tempDir();
  await mkdir(join(dir.path, "skillz.toml"));
  const { problems } = await readConfigFiles({ cwd: dir.path, toolsDir: dir.path });
  equal(problems.length, 1);
  match(problems[0] ?? "", /^Cannot read .*skillz\.toml: /);
});
