import assert from "node:assert/strict";
import { errorText } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { serverCommand, serverEnvironment } from "../support/server.ts";
import { tempDir } from "../support/temp_dir.ts";
import { type TestApp, testApp } from "../support/test_app.ts";

/** As text, because a literal with this key sets the prototype instead. */
const POLLUTING = [
  `{"__proto__":{"polluted":1}}`,
  `{"a":{"__proto__":{"polluted":1}}}`,
  `{"a":[{"b":{"__proto__":{"polluted":1}}}]}`,
  `{"constructor":{"prototype":{"polluted":1}}}`,
  `{"__proto__.polluted":1}`,
] as const;

const CODE = {
  python3: `import json, sys
call = json.loads(sys.stdin.readline())
print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": ANSWER}))`,
  deno: `import { tool } from "skillz";
tool((args: Record<string, unknown>) => ({ polluted: (({}) as { polluted?: unknown }).polluted ?? null, keys: Object.keys(args) }));`,
} as const;

async function told(app: TestApp, name: string, args: JsonObject): Promise<string> {
  try {
    return resultText(await app.call(name, args));
  } catch (error) {
    return errorText(error);
  }
}

const clean = () =>
  assert.equal(({} as { polluted?: unknown }).polluted, undefined, "the prototype was polluted");

async function register(app: TestApp, name: string, more: JsonObject): Promise<void> {
  const result = await app.call("register_script", { name, description: "d", permissions: {}, ...more });
  assert.equal(result.isError, undefined, resultText(result));
}

Deno.test({
  name:
    "__proto__ in arguments, answers, memory and pipelines changes no prototype of the server or of a tool",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({ env: { SKILLZ_SANDBOX: "none" } });
    await register(app, "keys", { interpreter: "deno", code: CODE.deno });
    const piped = await app.call("pipeline", {
      action: "create",
      name: "passes",
      description: "d",
      steps: [{ name: "one", tool: "keys", args: "$input" }],
    });
    assert.equal(piped.isError, undefined, resultText(piped));
    for (const [i, text] of POLLUTING.entries()) {
      const args = JSON.parse(text) as JsonObject;
      const wanted = text.includes(`"__proto__":`) ? /__proto__/ : /"polluted": ?null/;
      assert.match(await told(app, "keys", args), wanted, text);
      assert.match(await told(app, "passes", args), wanted, text);
      await told(app, "call_tool", { tool_name: "keys", arguments: args });
      await told(app, "memory", { action: "set", tool_name: "keys", key: text, value: args });
      await told(app, "memory", { action: "get", tool_name: "keys", key: text });
      await told(app, "register_script", {
        ...args,
        name: `m${i}`,
        description: "d",
        code: "1",
        interpreter: "python3",
      });
      const code = CODE.python3.replace("ANSWER", `json.loads(${JSON.stringify(text)})`);
      await register(app, `answers${i}`, { interpreter: "python3", code });
      await told(app, `answers${i}`, {});
      clean();
    }
    assert.deepEqual(await app.data("keys", { fine: 1 }), { polluted: null, keys: ["fine"] });
  },
});

Deno.test({
  name: "deep and large arguments and answers fail with a word or work, and the server lives",
  ignore: needs("python3"),
  async fn() {
    await using app = await testApp({ env: { SKILLZ_SANDBOX: "none" } });
    const size = `len(json.dumps(call["params"]["arguments"]))`;
    await register(app, "measures", { interpreter: "python3", code: CODE.python3.replace("ANSWER", size) });
    const nest = (levels: number) =>
      JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`) as JsonObject;
    assert.equal(await told(app, "measures", nest(50)), "351");
    assert.match(await told(app, "measures", nest(5000)), /nested deeper than 256 levels/);
    const large = await told(app, "measures", { text: "x".repeat(8 * 2 ** 20) });
    assert.match(large, /^8388\d+$/);
    for (
      const [i, answer] of [
        `"LIST"`.replace("LIST", "[".repeat(100_000)),
        `json.loads("[" * 900 + "]" * 900)`,
        `{"text": "x" * (64 << 20)}`,
      ].entries()
    ) {
      const raw = i === 0
        ? `print('{"jsonrpc": "2.0", "id": %s, "result": ' % call["id"] + "[" * 100000 + "]" * 100000 + "}")`
        : `print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": ${answer}}))`;
      await register(app, `tells${i}`, {
        interpreter: "python3",
        code:
          `import json, sys\nsys.setrecursionlimit(10000)\ncall = json.loads(sys.stdin.readline())\n${raw}`,
      });
      const text = await told(app, `tells${i}`, {});
      assert.match(text, i === 2 ? /output_bytes/ : /./);
      assert.ok(text.length < 2 * 2 ** 20);
    }
    assert.equal(await told(app, "measures", {}), "2");
  },
});

Deno.test("lines of the protocol that are too long, too deep or polluting are answered or dropped, and the next one works", async () => {
  await using dir = await tempDir();
  const { command, args } = serverCommand();
  const env = serverEnvironment({ HOME: dir.path, TOOLS_DIR: `${dir.path}/tools` });
  const spec = {
    args,
    env,
    clearEnv: true,
    cwd: dir.path,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  } as const;
  await using child = new Deno.Command(command, spec).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const writer = child.stdin.getWriter();
  const send = (text: string) => writer.write(new TextEncoder().encode(`${text}\n`));
  let heard = "";
  const answerTo = async (id: number) => {
    while (!new RegExp(`"id":${id}[,}]`).test(heard)) {
      const { value, done } = await lines.read();
      if (done) throw new Error(`The server ended: ${heard.slice(-500)}`);
      heard = (heard + value).slice(-200_000);
    }
  };
  const call = (id: number, params: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
  await send(
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
  );
  await answerTo(1);
  const hostile = [
    "[".repeat(5_000_000),
    `{"a":`.repeat(1_000_000),
    call(0, `{"name":"list_tools","arguments":${`{"a":`.repeat(20_000)}1${"}".repeat(20_000)}}`),
    call(0, `{"name":"list_tools","arguments":{"__proto__":{"isError":true,"polluted":1}}}`),
    `{"__proto__":{"id":2},"jsonrpc":"2.0","id":0,"method":"ping"}`,
    `{"jsonrpc":"2.0","id":0,"method":"__proto__","params":{}}`,
    `{"jsonrpc":"2.0","id":0,"method":"constructor"}`,
    `{"jsonrpc":"2.0","id":{"toString":1},"method":"ping"}`,
  ];
  for (const [i, line] of hostile.entries()) {
    await send(line);
    await send(`{"jsonrpc":"2.0","id":${100 + i},"method":"ping"}`);
    await answerTo(100 + i);
  }
  // More than a line may have, without ever ending it; then the end.
  const piece = new Uint8Array(2 ** 20).fill(120);
  for (let i = 0; i < 80; i++) await writer.write(piece);
  await send("");
  await send(`{"jsonrpc":"2.0","id":200,"method":"ping"}`);
  await answerTo(200);
  await send(call(201, `{"name":"list_tools","arguments":{}}`));
  await answerTo(201);
  assert.doesNotMatch(heard, /polluted/);
  await writer.close();
  await lines.cancel();
  await child.status;
});
