import assert from "node:assert/strict";
import { needs } from "../support/needs.ts";
import { serverCommand, serverEnvironment } from "../support/server.ts";
import { type TempDir, tempDir } from "../support/temp_dir.ts";

async function skillz(dir: TempDir, args: readonly string[], more: Record<string, string> = {}) {
  const command = serverCommand(args);
  const { code, stdout, stderr } = await new Deno.Command(command.command, {
    args: command.args,
    cwd: dir.path,
    clearEnv: true,
    env: serverEnvironment({ HOME: dir.path, TOOLS_DIR: `${dir.path}/tools`, ...more }),
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test(
  "a tool is started, called, listed and checked from the command line",
  { ignore: needs("bash") },
  async () => {
    await using dir = await tempDir();
    const made = await skillz(dir, ["init", "bash", "shout"]);
    assert.deepEqual([made.code, made.stderr], [0, ""]);
    assert.match(made.stdout, /tools\/shout/);
    const called = await skillz(dir, ["call", "shout", '{"text": "hello"}']);
    assert.deepEqual([called.code, called.stdout], [0, "HELLO\n"]);
    assert.match((await skillz(dir, ["list"])).stdout, /- shout: /);
    assert.equal((await skillz(dir, ["check-tools"])).code, 0);
    const failed = await skillz(dir, ["call", "shout", "{}"]);
    assert.deepEqual([failed.code, failed.stdout.includes("text")], [1, true]);
  },
);

Deno.test(
  "init prints where the tool is and nothing else, and starts no tool twice",
  { ignore: needs("python3") },
  async () => {
    await using dir = await tempDir();
    // Its examples hold one that fails on purpose: what that tells is nobody's concern.
    const made = await skillz(dir, ["init", "python", "mean"]);
    assert.deepEqual([made.code, made.stderr], [0, ""]);
    const again = await skillz(dir, ["init", "python", "mean"]);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /^skillz: Cannot start "mean": .*choose another one\n$/);
  },
);

Deno.test("install makes the folder of an editor's file, and keeps its mode, its links and what is in it", async () => {
  await using dir = await tempDir();
  const made = await skillz(dir, ["install", "cursor"]);
  assert.deepEqual([made.code, made.stderr], [0, ""]);
  const file = `${dir.path}/.cursor/mcp.json`;
  const { command, args } = JSON.parse(await Deno.readTextFile(file)).mcpServers.skillz;
  const version = await new Deno.Command(command, { args: [...args, "--version"] }).output();
  assert.match(new TextDecoder().decode(version.stdout), /^skillz \d/);

  const kept = `${dir.path}/dotfiles.json`;
  await Deno.writeTextFile(kept, '{"mcpServers": {"other": {"command": "x"}}}', { mode: 0o600 });
  await Deno.remove(file);
  await Deno.symlink(kept, file);
  assert.equal((await skillz(dir, ["install", "cursor"])).code, 0);
  assert.ok((await Deno.lstat(file)).isSymlink);
  assert.equal(((await Deno.stat(kept)).mode ?? 0) & 0o777, 0o600);
  assert.deepEqual(Object.keys(JSON.parse(await Deno.readTextFile(kept)).mcpServers), ["other", "skillz"]);

  await Deno.writeTextFile(kept, "{");
  const refused = await skillz(dir, ["install", "cursor"]);
  assert.match(refused.stderr, /^skillz: Cannot add Skillz to .*not valid JSON, nothing was changed.*\n$/);
  assert.equal(await Deno.readTextFile(kept), "{");
});

Deno.test("doctor tells what there is", async () => {
  await using dir = await tempDir();
  const { code, stdout } = await skillz(dir, ["doctor"]);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /Deno for tools +deno \d/);
  assert.match(stdout, /TOOLS_DIR +.* can be written/);
});

Deno.test("help and version are printed", async () => {
  await using dir = await tempDir();
  assert.match((await skillz(dir, ["--help"])).stdout, /check-tools[\s\S]*--transport/);
  assert.match((await skillz(dir, ["--version"])).stdout, /^skillz \d+\.\d+\.\d+\n$/);
});

const MISUSE: [string[], Record<string, string>, RegExp][] = [
  [["nonsense"], {}, /no command "nonsense"/],
  [["--nonsense"], {}, /--nonsense/],
  [["--port", "99999", "--transport", "http"], {}, /--port is "99999"/],
  [["call"], {}, /TOOL/],
  [["call", "shout", "{nonsense"], {}, /not valid JSON/],
  [["call", "shout", "[1]"], {}, /array/],
  [["init", "cobol", "x"], {}, /no such template/],
  [["install", "notepad"], {}, /notepad/],
  [["list"], { SKILLZ_SANDBOX: "typo" }, /SKILLZ_SANDBOX is "typo"/],
  [["list"], { SKILLZ_SANDBOX_NETWORK: "maybe" }, /SKILLZ_SANDBOX_NETWORK/],
];

for (const [args, env, message] of MISUSE) {
  Deno.test(`misuse ends with 2 and one line: ${args.join(" ")} ${JSON.stringify(env)}`, async () => {
    await using dir = await tempDir();
    const { code, stdout, stderr } = await skillz(dir, args, env);
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
  });
}
