import assert from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";

// Scripts that tell far more than anybody wants to hear: the answer comes all the same, and the client lives.

const PYTHON = [
  "import json, sys",
  "sys.stdin.readline()",
  "say = lambda method, params: print(json.dumps({'jsonrpc': '2.0', 'method': method, 'params': params}))",
];
const DONE = "print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': 'done'}))";

Deno.test({
  name: "floods of progress, log messages and stderr neither delay an answer for long nor drown the client",
  ignore: needs("python3"),
  async fn(t) {
    const logs: unknown[] = [];
    await using server = await startServer({
      prepare: (client) =>
        client.setNotificationHandler("notifications/message", (note) => void logs.push(note)),
    });
    const make = async (name: string, ...lines: string[]) => {
      const code = [...PYTHON, ...lines, DONE].join("\n");
      await server.text("register_script", { name, description: "d", interpreter: "python3", code });
    };

    await t.step("progress rises to the last value in few messages", async () => {
      await make("steps", "for i in range(50_000): say('progress', {'progress': i, 'total': 49_999})");
      const seen: number[] = [];
      const result = await server.call("call_tool", { tool_name: "steps" }, {
        onprogress: ({ progress }) => void seen.push(progress),
      });
      assert.equal(resultText(result), "done");
      assert.ok(seen.length < 2_000, `${seen.length} messages of progress came`);
      assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
      assert.equal(seen.at(-1), 49_999);
    });

    await t.step("few steps all arrive", async () => {
      await make("few", "for i in range(1, 21): say('progress', {'progress': i})");
      const seen: number[] = [];
      await server.call("call_tool", { tool_name: "few" }, {
        onprogress: ({ progress }) => void seen.push(progress),
      });
      assert.deepEqual(seen, Array.from({ length: 20 }, (_, i) => i + 1));
    });

    await t.step("messages end with a word that there are more", async () => {
      logs.length = 0;
      await make("chatty", "for i in range(50_000): say('log', {'level': 'info', 'message': str(i)})");
      assert.equal(await server.text("call_tool", { tool_name: "chatty" }), "done");
      assert.ok(logs.length <= 5_001, `${logs.length} messages came`);
      assert.match(JSON.stringify(logs.at(-1)), /left out/);
    });

    await t.step("100 MB on stderr, in one line or in many, cost nothing", async () => {
      await make("line", "sys.stderr.write('x' * 100_000_000)");
      await make("lines", "sys.stderr.write(('x' * 99 + '\\n') * 1_000_000)");
      assert.equal(await server.text("call_tool", { tool_name: "line" }), "done");
      assert.equal(await server.text("call_tool", { tool_name: "lines" }), "done");
    });
    await server.client.ping();
  },
});

const ASK = [
  ...PYTHON,
  "import threading",
  "def ask(id, method, **params): print(json.dumps({'jsonrpc': '2.0', 'id': id, 'method': method, 'params': params}), flush=True)",
  "ask('set', 'memory/set', key='big', value='x' * 1_000_000)",
  "sys.stdin.readline()",
];

Deno.test({
  name:
    "a script that asks for much and reads nothing fills no memory of the server; one that reads gets everything",
  ignore: needs("python3") || Deno.build.os !== "linux",
  async fn() {
    await using server = await startServer();
    const make = (name: string, lines: readonly string[], limits = {}) =>
      server.text("register_script", {
        name,
        description: "d",
        interpreter: "python3",
        code: [...ASK, ...lines].join("\n"),
        limits,
      });
    const megabytes = async () => {
      const status = await Deno.readTextFile(`/proc/${server.pid}/status`);
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    };

    await make("reads", [
      "got = []",
      "reader = threading.Thread(target=lambda: [got.append(len(sys.stdin.readline())) for _ in range(200)])",
      "reader.start()",
      "for i in range(200): ask(i, 'memory/get', key='big')",
      "reader.join()",
      "print(json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': sum(n > 1_000_000 for n in got)}), flush=True)",
    ]);
    assert.equal(await server.text("call_tool", { tool_name: "reads" }), "200");

    await make("deaf", ["for i in range(3000): ask(i, 'memory/get', key='big')", DONE], {
      timeout_ms: 15_000,
    });
    const result = await server.call("call_tool", { tool_name: "deaf" });
    assert.equal(result.isError, true);
    assert.ok(await megabytes() < 800, `the server took ${await megabytes()} MB`);
    await server.client.ping();
  },
});
