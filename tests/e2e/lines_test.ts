import assert from "node:assert/strict";
import { resultText, type ToolResult } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";

// What goes wrong in lines, text and numbers between tools, server and clients: each through the real server.

const READ = "import json, sys\nreq = json.loads(sys.stdin.readline())\n";
const ANSWER = 'print(json.dumps({"jsonrpc": "2.0", "id": 1, "result": ';

interface Row {
  readonly title: string;
  readonly interpreter: "bash" | "python3";
  readonly code: string;
  readonly arguments?: Record<string, unknown>;
  readonly limits?: Record<string, number>;
  check(result: ToolResult, text: string): void;
}

const failed = (pattern: RegExp) => (result: ToolResult, text: string) => {
  assert.equal(result.isError, true, text);
  assert.match(text, pattern);
};

const ROWS: Row[] = [
  {
    title: "B01 lines before and after the answer are no part of it",
    interpreter: "bash",
    code:
      `read l; echo "Loading model..."; echo '{"level":"info"}'; echo '{"jsonrpc":"2.0","id":1,"result":{"ok":1}}'; echo bye`,
    check: (result) => assert.deepEqual(result.structuredContent, { ok: 1 }),
  },
  {
    title: "B03 an answer of 300,000 characters comes whole",
    interpreter: "python3",
    code: `${READ}${ANSWER}"x" * 300000}))`,
    check: (_result, text) => assert.equal(text, "x".repeat(300_000)),
  },
  {
    title: "B03 a line without end is an error that names the limit",
    interpreter: "bash",
    code: "read l; yes | tr -d '\\n'",
    limits: { output_bytes: 1_000_000 },
    check: failed(/limits\.output_bytes is 1000000/),
  },
  {
    title: "B05 NaN in an answer is an error that shows the line and names the cause",
    interpreter: "python3",
    code: `${READ}${ANSWER}{"mean": float("nan")}}))`,
    check: failed(/NaN/),
  },
  {
    title: "B05 Infinity in an answer is an error too",
    interpreter: "python3",
    code: `${READ}${ANSWER}[float("inf")]}))`,
    check: failed(/Infinity/),
  },
  {
    title: "B07 a whole number beyond 2^53 keeps its digits in the text of a result",
    interpreter: "python3",
    code: `${READ}${ANSWER}{"n": 9007199254740993}}))`,
    check: (_result, text) => assert.match(text, /9007199254740993/),
  },
  {
    title: "B07 digits in a string stay exact on the way in",
    interpreter: "python3",
    code: `${READ}${ANSWER}repr(req["params"]["arguments"]["n"])}))`,
    arguments: { n: "9007199254740993" },
    check: (_result, text) => assert.equal(text, "'9007199254740993'"),
  },
  {
    title: "B09 an end without an answer is an error with the exit code",
    interpreter: "bash",
    code: "read l; exit 3",
    check: failed(/code 3/),
  },
  {
    title: "B09 an end with nothing said is an error also with exit code 0",
    interpreter: "bash",
    code: `read l; echo '{"jsonrpc":"2.0","id":999,"result":1}'`,
    check: failed(/999/),
  },
  {
    title: "B09 a traceback's last line is in the error",
    interpreter: "python3",
    code: `${READ}raise ValueError("seven dwarfs")`,
    check: failed(/ValueError: seven dwarfs/),
  },
  {
    title: "B14 absent arguments reach the script as an empty object",
    interpreter: "python3",
    code: `${READ}${ANSWER}req["params"]["arguments"]}))`,
    check: (result) => assert.deepEqual(result.structuredContent, {}),
  },
];

async function runRow(server: TestServer, row: Row, name: string): Promise<void> {
  const { interpreter, code, limits } = row;
  await server.text("register_script", {
    name,
    description: row.title,
    interpreter,
    code,
    ...(limits ? { limits } : {}),
  });
  const args = row.arguments === undefined
    ? { tool_name: name }
    : { tool_name: name, arguments: row.arguments };
  const result = await server.call("call_tool", args);
  row.check(result, resultText(result));
  await server.client.ping();
}

Deno.test("lines and numbers between tools and clients", { ignore: needs("python3", "bash") }, async (t) => {
  await using server = await startServer();
  for (const [index, row] of ROWS.entries()) {
    await t.step(row.title, () => runRow(server, row, `row${index}`));
  }
});
