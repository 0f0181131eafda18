import assert from "node:assert/strict";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { runningWith } from "../support/running_with.ts";
import { serverCommand, serverEnvironment, startServer } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";
import { waitFor } from "../support/wait_for.ts";

// A tool that runs for ever, with a child of its own that ignores SIGTERM; both carry a word to be found by.
const FOREVER = (word: string) =>
  `read l; bash -c 'trap "" TERM; exec -a ${word}-child sleep 1000' & exec -a ${word} sleep 1000`;

const word = () => `skz${crypto.randomUUID().slice(0, 8)}`;
const bashTool = (name: string, code: string, more: object = {}) => ({
  name,
  description: "d",
  interpreter: "bash",
  code,
  ...more,
});

Deno.test("a call that is cancelled ends its whole tree", { ignore: needs("bash") }, async () => {
  const mark = word();
  await using server = await startServer();
  await server.text("register_script", bashTool("forever", FOREVER(mark)));
  const abort = new AbortController();
  const call = server.call("call_tool", { tool_name: "forever" }, { signal: abort.signal });
  await waitFor(async () => (await runningWith(mark)).length === 2, { timeoutMs: 20_000 });
  abort.abort("enough");
  await assert.rejects(call);
  await waitFor(async () => (await runningWith(mark)).length === 0, { timeoutMs: 20_000 });
  await server.client.ping();
});

Deno.test("a call that runs too long ends with its limit named, and its tree is gone", {
  ignore: needs("bash"),
}, async () => {
  const mark = word();
  await using server = await startServer();
  await server.text("register_script", bashTool("forever", FOREVER(mark), { limits: { timeout_ms: 1500 } }));
  const result = await server.call("call_tool", { tool_name: "forever" });
  assert.equal(result.isError, true);
  assert.match(resultText(result), /limits\.timeout_ms is 1500/);
  await waitFor(async () => (await runningWith(mark)).length === 0, { timeoutMs: 20_000 });
});

Deno.test("a client that leaves takes server and tools along", { ignore: needs("bash") }, async () => {
  const mark = word();
  const server = await startServer();
  try {
    await server.text("register_script", bashTool("forever", FOREVER(mark)));
    server.call("call_tool", { tool_name: "forever" }).catch(() => {});
    await waitFor(async () => (await runningWith(mark)).length === 2, { timeoutMs: 20_000 });
  } finally {
    await server[Symbol.asyncDispose]();
  }
  await waitFor(async () => (await runningWith(mark)).length === 0, { timeoutMs: 20_000 });
});

for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
  Deno.test(`B12 ${signal} to the server leaves no process`, { ignore: needs("bash") }, async () => {
    const mark = word();
    const server = await startServer();
    try {
      await server.text("register_script", bashTool("forever", FOREVER(mark)));
      server.call("call_tool", { tool_name: "forever" }).catch(() => {});
      await waitFor(async () => (await runningWith(mark)).length === 2, { timeoutMs: 20_000 });
      Deno.kill(server.pid, signal);
      await waitFor(async () => (await runningWith(mark)).length === 0, { timeoutMs: 20_000 });
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });
}

Deno.test("B12 a shell that is killed takes server and tools along", { ignore: needs("bash") }, async () => {
  const mark = word();
  await using dir = await tempDir();
  const tools = join(dir.path, "tools");
  {
    await using server = await startServer({ toolsDir: tools });
    await server.text("register_script", bashTool("forever", FOREVER(mark)));
  }
  const { command, args } = serverCommand();
  const messages = [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "forever", arguments: {} } },
  ].map((message) => JSON.stringify(message)).join("\n");
  // The shell holds the server's input open until it is killed.
  const shell = new Deno.Command("bash", {
    args: ["-c", `{ cat "$0"; sleep 1000; } | "$@"`, join(dir.path, "in"), command, ...args],
    cwd: dir.path,
    clearEnv: true,
    env: serverEnvironment({ HOME: dir.path, TOOLS_DIR: tools }),
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
  });
  await Deno.writeTextFile(join(dir.path, "in"), `${messages}\n`);
  const child = shell.spawn();
  await waitFor(async () => (await runningWith(mark)).length === 2, { timeoutMs: 30_000 });
  Deno.kill(-child.pid, "SIGKILL");
  await child.status;
  await waitFor(async () => (await runningWith(mark)).length === 0, { timeoutMs: 20_000 });
});

Deno.test("answers under way are given when the input ends, and the exit code is 0", {
  ignore: needs("bash"),
}, async () => {
  await using dir = await tempDir();
  const { command, args } = serverCommand();
  const child = new Deno.Command(command, {
    args,
    cwd: dir.path,
    clearEnv: true,
    env: serverEnvironment({ HOME: dir.path, TOOLS_DIR: join(dir.path, "tools") }),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const tool = bashTool("slow", `read l; sleep 1; echo '{"jsonrpc":"2.0","id":1,"result":"done"}'`, {
    examples: [{ arguments: {} }],
  });
  const lines = [
    {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    {
      jsonrpc: "2.0",
      id: "last",
      method: "tools/call",
      params: { name: "register_script", arguments: tool },
    },
  ];
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
  await writer.close();
  const { stdout, code } = await child.output();
  assert.match(new TextDecoder().decode(stdout), /"id":"last"/);
  assert.equal(code, 0);
});
