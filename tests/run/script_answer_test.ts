import { deepEqual, equal, match, ok } from "node:assert/strict";
import { resultText, type ToolResult } from "../../src/base/tool_result.ts";
import { resolveLimits } from "../../src/sandbox/limits.ts";
import { needs } from "../support/needs.ts";
import { waitFor } from "../support/wait_for.ts";
import { bench, testCaller, testContext } from "./_fixture.ts";
import { isAlive } from "./_processes.ts";

/** Runs a bash script that has read its first line. */
async function bash(
  code: string,
  limits = resolveLimits(),
): Promise<{ result: ToolResult; logs: unknown[] }> {
  await using place = await bench();
  const { caller, heard } = testCaller();
  const tool = await place.tool("t", {
    interpreter: "bash",
    code: `read -r l\n${code}`,
    manifest: { limits },
  });
  const result = await place.call(tool, {}, testContext({ caller }));
  return { result, logs: heard.logs.map(({ data }) => data) };
}

function answering(result: string): string {
  return `echo '{"jsonrpc":"2.0","id":1,"result":${result}}'`;
}

const ignore = needs("bash");

/** What a script answers, and what the caller gets. */
const FORMS: readonly {
  what: string;
  answer: string;
  text: string;
  structured?: unknown;
  isError?: boolean;
}[] = [
  { what: "an object", answer: '{"a": [1, null]}', text: '{"a":[1,null]}', structured: { a: [1, null] } },
  { what: "a string", answer: '"plain\\ntext"', text: "plain\ntext" },
  { what: "a number", answer: "42", text: "42" },
  { what: "null", answer: "null", text: "null" },
  { what: "an array", answer: "[1,2]", text: "[1,2]" },
  {
    what: "an MCP result",
    answer: '{"content":[{"type":"text","text":"x"}],"structuredContent":{"y":1},"_meta":{"z":2}}',
    text: "x",
    structured: { y: 1 },
  },
  {
    what: "a failed MCP result",
    answer: '{"content":[{"type":"text","text":"no"}],"isError":true}',
    text: "no",
    isError: true,
  },
  {
    what: "data without content",
    answer: '{"structuredContent":{"y":1}}',
    text: '{"y":1}',
    structured: { y: 1 },
  },
  {
    what: "an object that only looks like a result",
    answer: '{"content":[{"title":"page"}]}',
    text: '{"content":[{"title":"page"}]}',
    structured: { content: [{ title: "page" }] },
  },
];

for (const { what, answer, text, structured, isError } of FORMS) {
  Deno.test({
    name: `toolAnswer() makes a result of ${what}`,
    ignore,
    async fn() {
      const { result } = await bash(answering(answer));
      equal(resultText(result), text);
      deepEqual(result.structuredContent, structured);
      equal(result.isError, isError);
      ok(result._meta?.["skillz/isolation"]);
    },
  });
}

Deno.test({
  name: "B01 noise before and after the answer is no error and no answer, but a log",
  ignore,
  async fn() {
    const { result, logs } = await bash(
      `echo "Loading model..."; echo '{"level":"info"}'; printf '\\033[1mbold\\n'; ${
        answering('{"ok":1}')
      }; echo bye; printf '{"half'`,
    );
    deepEqual(result.structuredContent, { ok: 1 });
    equal(result.isError, undefined);
    deepEqual(logs.slice(0, 2), ["Loading model...", '{"level":"info"}']);
  },
});

Deno.test({
  name: "B48 a title that a wrapper prints in front of the answer does not hide it",
  ignore,
  async fn() {
    const { result } = await bash(`printf '\\033]0;firejail\\007'; ${answering('{"ok":1}')}`);
    deepEqual(result.structuredContent, { ok: 1 });
  },
});

Deno.test({
  name: "B03 an answer of 300,000 characters in one line arrives whole",
  ignore,
  async fn() {
    const { result } = await bash(
      `printf '{"jsonrpc":"2.0","id":1,"result":"'; head -c 300000 /dev/zero | tr '\\0' x; printf '"}\\n'`,
    );
    equal(resultText(result), "x".repeat(300_000));
  },
});

for (
  const [what, command] of [["a line without end", "yes | tr -d '\\n'"], [
    "noise without end",
    "yes",
  ]] as const
) {
  Deno.test({
    name: `B03 ${what} is a failure that names the limit, and the process is gone`,
    ignore,
    async fn() {
      await using place = await bench();
      const { caller, heard } = testCaller();
      const tool = await place.tool("endless", {
        interpreter: "bash",
        code: `read -r l; echo $$ >&2; ${command}`,
        manifest: { limits: resolveLimits({ output_bytes: 1_000_000 }) },
      });
      const result = await place.call(tool, {}, testContext({ caller }));
      equal(result.isError, true);
      match(resultText(result), /limits\.output_bytes is 1000000/);
      const pid = Number(heard.logs.find(({ data }) => /^\d+$/.test(String(data)))?.data);
      ok(pid > 0);
      await waitFor(() => !isAlive(pid), { what: "the end of the script" });
    },
  });
}

Deno.test({
  name: "B05 NaN in an answer is a failure at once that shows the line and names the cause",
  ignore,
  async fn() {
    const { result } = await bash(`${answering('{"mean": NaN}')}; sleep 100`);
    equal(result.isError, true);
    match(resultText(result), /NaN/);
    match(resultText(result), /"mean": NaN/);
  },
});

Deno.test({
  name: "B07 numbers of many digits keep them in the text",
  ignore,
  async fn() {
    const { result } = await bash(
      answering('{"n":9007199254740993,"f":0.12345678901234567891,"s":"9007199254740993"}'),
    );
    equal(resultText(result), '{"n":9007199254740993,"f":0.12345678901234567891,"s":"9007199254740993"}');
    deepEqual(result.structuredContent, {
      n: 9007199254740992,
      f: 0.12345678901234568,
      s: "9007199254740993",
    });
    equal(JSON.stringify(result.structuredContent).includes("rawJSON"), false);
  },
});

/** How scripts end without an answer, and what the failure says. */
const ENDS: readonly [string, string, RegExp][] = [
  ["nothing at all", "exit 0", /exit code 0 and printed nothing/],
  [
    "an answer to another id",
    `echo '{"jsonrpc":"2.0","id":999,"result":1}'`,
    /answered id 999, wanted is id 1/,
  ],
  ["an exit code", "echo trouble >&2; exit 7", /exit code 7[^]*stderr:\ntrouble/],
  ["a signal", "kill -9 $$", /SIGKILL/],
  ["only a note", `echo '{"jsonrpc":"2.0","method":"log","params":{"message":"m"}}'`, /without an answer/],
  ["a closed stdout", "exec >&-; sleep 100", /closed its stdout/],
  ["text and an exit code", "echo partial; exit 2", /exit code 2[^]*stdout: partial/],
];

for (const [what, code, expected] of ENDS) {
  Deno.test({
    name: `B09 a script that ends with ${what} has failed`,
    ignore,
    async fn() {
      const { result } = await bash(code);
      equal(result.isError, true, resultText(result));
      match(resultText(result), expected);
    },
  });
}

Deno.test({
  name: "B09 a JSON-RPC error is a failure with message, code and data",
  ignore,
  async fn() {
    const { result } = await bash(
      `echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"out of stock","data":{"left":0}}}'`,
    );
    equal(result.isError, true);
    equal(resultText(result), 'out of stock (code -32050)\n{"left":0}');
    deepEqual(result.structuredContent, {
      error: { code: -32050, message: "out of stock", data: { left: 0 } },
    });
  },
});

Deno.test({
  name: "a script that prints plain text and exits 0 has it as its result",
  ignore,
  async fn() {
    const { result, logs } = await bash("echo one; echo two");
    equal(resultText(result), "one\ntwo");
    equal(result.isError, undefined);
    deepEqual(logs, []);
  },
});

Deno.test({
  name: "the call ends at the answer, not when stdout closes",
  ignore,
  async fn() {
    await using place = await bench();
    const { caller, heard } = testCaller();
    const tool = await place.tool("lingers", {
      interpreter: "bash",
      code: `read -r l; trap '' TERM; echo $$ >&2; ${answering("1")}; sleep 600`,
    });
    const result = await place.call(tool, {}, testContext({ caller }));
    equal(resultText(result), "1");
    const pid = Number(heard.logs[0]?.data);
    await waitFor(() => !isAlive(pid), { what: "the end of the process that lingers" });
  },
});

Deno.test({
  name: "B12 a child that a script leaves behind is ended",
  ignore: needs("bash", "setsid"),
  async fn() {
    await using place = await bench();
    const tool = await place.tool("parent", {
      interpreter: "bash",
      code: `read -r l; setsid sleep 600 >/dev/null 2>&1 & echo '{"jsonrpc":"2.0","id":1,"result":'$!'}'`,
    });
    const pid = Number(resultText(await place.call(tool)));
    ok(pid > 0);
    await waitFor(() => !isAlive(pid), { what: "the end of the child left behind" });
  },
});
