import assert from "node:assert/strict";
import { errorText } from "../../src/base/errors.ts";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { testApp } from "../support/test_app.ts";

const [MEGABYTE, GIGABYTE] = [2 ** 20, 2 ** 30];
const PROGRAMS = { bubblewrap: "bwrap", nsjail: "nsjail", firejail: "firejail", none: "sh" } as const;

/** Writes `megabytes` to a stream, then answers. */
const CODE = {
  python3: (stream: 1 | 2) =>
    `import json, os, sys
call = json.loads(sys.stdin.readline())
piece = b"x" * ${MEGABYTE}
for _ in range(call["params"]["arguments"]["megabytes"]): os.write(${stream}, piece)
os.write(${stream}, b"\\n")
print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": "done"}), flush=True)`,
  deno: (stream: 1 | 2) =>
    `const reader = Deno.stdin.readable.pipeThrough(new TextDecoderStream()).getReader();
const call = JSON.parse((await reader.read()).value ?? "{}");
const to = ${stream === 1 ? "Deno.stdout" : "Deno.stderr"};
const write = (bytes: Uint8Array) => { for (let at = 0; at < bytes.length;) at += to.writeSync(bytes.subarray(at)); };
const piece = new Uint8Array(${MEGABYTE}).fill(120);
for (let i = 0; i < call.params.arguments.megabytes; i++) write(piece);
write(new Uint8Array([10]));
console.log(JSON.stringify({ jsonrpc: "2.0", id: call.id, result: "done" }));`,
  bash: (stream: 1 | 2) =>
    `read -r call; n=$(sed -E 's/.*"megabytes": ?([0-9]+).*/\\1/' <<<"$call"); id=$(sed -E 's/.*"id": ?([0-9]+).*/\\1/' <<<"$call")
[ "$n" = 0 ] || head -c "$n"M /dev/zero >&${stream}
echo >&${stream}
printf '{"jsonrpc":"2.0","id":%s,"result":"done"}\\n' "$id"`,
} as const;

for (const [mode, program] of Object.entries(PROGRAMS)) {
  Deno.test({
    name: `a gigabyte on stdout ends a tool by its limit, one on stderr costs nothing (sandbox: ${mode})`,
    ignore: needs(program, ...Object.keys(CODE)),
    async fn() {
      await using app = await testApp({ env: { SKILLZ_SANDBOX: mode } });
      const told = async (name: string, megabytes: number) => {
        try {
          return resultText(await app.call(name, { megabytes }));
        } catch (error) {
          return errorText(error);
        }
      };
      // How output is read does not depend on the sandbox: one language is enough for the others.
      const languages = Object.entries(CODE).filter(([name]) => mode === "bubblewrap" || name === "bash");
      for (const [interpreter, code] of languages) {
        for (const stream of [1, 2] as const) {
          const name = `writes_${interpreter}_${stream}`;
          const made = await app.call("register_script", {
            name,
            description: "d",
            interpreter,
            code: code(stream),
            permissions: {},
            limits: { output_bytes: 4 * MEGABYTE },
          });
          assert.equal(made.isError, undefined, resultText(made));
          assert.equal(await told(name, stream === 1 ? 1 : 0), "done", name);
          const isWhole = stream === 1 || (mode === "bubblewrap" && interpreter === "bash");
          const much = isWhole ? GIGABYTE : 64 * MEGABYTE;
          const before = Deno.memoryUsage().rss;
          const text = await told(name, much / MEGABYTE);
          if (stream === 1) assert.match(text, /limits\.output_bytes is 4194304/, name);
          else assert.equal(text, "done", name);
          const grown = Deno.memoryUsage().rss - before;
          assert.ok(grown < 300 * MEGABYTE, `${name}: the server grew by ${grown}`);
        }
      }
    },
  });
}
