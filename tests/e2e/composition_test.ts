import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait_for.ts";

/** Makes a Deno tool from the body of a function of `args`. */
async function script(server: TestServer, name: string, body: string, more: Record<string, unknown> = {}) {
  await server.text("register_script", {
    name,
    description: `The tool ${name}`,
    extension: "ts",
    code: `import { call, log, progress, tool } from "skillz";\ntool(async (args: any) => ${body});\n`,
    permissions: {},
    ...more,
  });
}

/** Answers in the shape of the MCP server for time. */
const CURRENT_TIME = `{
  const datetime = new Date().toLocaleString("sv-SE", { timeZone: args.timezone }).replace(" ", "T");
  return { timezone: args.timezone, datetime, is_dst: false };
}`;
const COUNT = "({ words: args.text.trim().split(/\\s+/).length, text: args.text })";
const TEXT = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

Deno.test("a pipeline of three steps puts two times into one text and counts its words", async () => {
  await using server = await startServer();
  await script(server, "time_get_current_time", CURRENT_TIME, {
    input_schema: { type: "object", properties: { timezone: { type: "string" } }, required: ["timezone"] },
  });
  await script(server, "word_counter", COUNT, { input_schema: TEXT });
  const created = await server.text("pipeline", {
    action: "create",
    name: "two_times",
    description: "Times in New York and London",
    steps: [
      { name: "ny", tool: "time_get_current_time", args: { timezone: "America/New_York" } },
      { name: "london", tool: "time_get_current_time", args: { timezone: "Europe/London" } },
      { tool: "word_counter", args: { text: "NY: $ny.datetime, London: $london.datetime" } },
    ],
  });
  match(created, /Call it now/);
  for (const [name, args] of [["two_times", {}], ["call_tool", { tool_name: "two_times" }]] as const) {
    const { structuredContent, isError } = await server.call(name, args);
    equal(isError ?? false, false);
    const { words, text } = structuredContent?.output as { words: number; text: string };
    match(text, /^NY: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d, London: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    equal(words, 4);
    const steps = structuredContent?.steps as { name: string; status: string }[];
    deepEqual(steps.map((step) => step.status), ["ok", "ok", "ok"]);
    deepEqual(steps.map((step) => step.name).slice(0, 2), ["ny", "london"]);
  }
});

Deno.test({
  name: "tools of every type work together in one pipeline and in one program",
  ignore: needs("rustc", "wasm32-wasip1", "python3"),
  async fn() {
    await using server = await startServer();
    await script(server, "in_deno", COUNT, { input_schema: TEXT });
    await server.text("register_script", {
      name: "in_python",
      description: "Repeats",
      interpreter: "python3",
      code:
        "from skillz import tool\n@tool\ndef main(text: str) -> dict:\n    return {'text': text + ' ' + text}\n",
      input_schema: TEXT,
      permissions: {},
    });
    await server.text("build_tool", {
      name: "in_wasm",
      description: "Shouts",
      code:
        'fn main() { let args = skillz::arguments(); println!("{}", args["text"].as_str().unwrap_or("").to_uppercase()); }',
      input_schema: TEXT,
    });
    await server.text("pipeline", {
      action: "create",
      name: "inner",
      description: "Repeats and shouts",
      input_schema: TEXT,
      steps: [
        { name: "twice", tool: "in_python", args: { text: "$input.text" } },
        { name: "loud", tool: "in_wasm", args: { text: "$twice.text" } },
      ],
    });
    await server.text("pipeline", {
      action: "create",
      name: "outer",
      description: "All of them",
      input_schema: TEXT,
      steps: [
        { name: "piped", tool: "inner", args: { text: "$input.text" } },
        { name: "counted", tool: "in_deno", args: { text: "$piped.output" } },
        {
          name: "kept",
          tool: "memory",
          args: { action: "store", tool_name: "e2e", key: "text", value: "$counted.text" },
        },
        { name: "code", tool: "execute_code", args: { code: "return 6 * 7" } },
      ],
      output: { text: "$counted.text", words: "$counted.words", code: "$code.result" },
    });
    const piped = await server.call("outer", { text: "hi there" });
    deepEqual(
      piped.structuredContent?.output,
      { text: "HI THERE HI THERE", words: 4, code: 42 },
      resultText(piped),
    );

    const code = await server.call("execute_code", {
      code: `const [deno, python, wasm, inner, kept] = await Promise.all([
  tools.in_deno({ text: "a b" }),
  tools.in_python({ text: "c" }),
  tools.in_wasm({ text: "d" }),
  tools.inner({ text: "e" }),
  tools.memory({ action: "get", tool_name: "e2e", key: "text" }),
]);
return [deno.words, python.text, wasm, inner.output, kept.value];`,
    });
    deepEqual(code.structuredContent?.result, [2, "c c", "D", "E E", "HI THERE HI THERE"], resultText(code));
    equal(code.structuredContent?.tool_calls, 5);
  },
});

Deno.test("a called tool has its own permissions, a caller lends none of its own", async () => {
  await using server = await startServer();
  const file = join(server.toolsDir, "..", "work", "open.txt");
  await Deno.writeTextFile(file, "what is in it");
  const read =
    `{ try { return await Deno.readTextFile(args.path) } catch (error) { return "denied: " + error.name } }`;
  await script(server, "may_not", read);
  await script(
    server,
    "may",
    `[await (async () => ${read})(), await call("may_not", args), await call("may_too", args)]`,
    { permissions: { read: ["$ROOTS"] } },
  );
  await script(server, "may_too", read, { permissions: { read: ["$ROOTS"] } });
  const [own, without, withRights] = JSON.parse(
    await server.text("call_tool", { tool_name: "may", arguments: { path: file } }),
  );
  equal(own, "what is in it");
  match(without, /^denied: /);
  equal(withRights, "what is in it");
  const code = await server.call("execute_code", {
    code: `return [await tools.may_not({ path: ${JSON.stringify(file)} }), await tools.may_too({ path: ${
      JSON.stringify(file)
    } })]`,
  });
  const [denied, allowed] = code.structuredContent?.result as string[];
  match(denied ?? "", /^denied: /);
  equal(allowed, "what is in it");
});

Deno.test("progress and logs of nested tools reach the client under its own token, rising only", async () => {
  await using server = await startServer();
  await script(
    server,
    "leaf",
    `{ log("from the leaf"); for (const n of [1, 2, 3]) progress(n, 3, "leaf " + n); return args.n; }`,
  );
  await script(server, "middle", `await call("leaf", args)`);
  await server.text("pipeline", {
    action: "create",
    name: "top",
    description: "x",
    steps: [{ tool: "middle", args: { n: 1 } }, { tool: "middle", args: { n: 2 } }],
  });
  const notes: { progress: number; message?: string | undefined }[] = [];
  const logs: unknown[] = [];
  server.client.setNotificationHandler("notifications/message", (note) => void logs.push(note.params.data));
  await server.call("execute_code", { code: "return await tools.top()" }, {
    onprogress: (note) => void notes.push(note),
  });
  await waitFor(() => JSON.stringify(logs).split("from the leaf").length > 2);
  ok(notes.some(({ message }) => message?.includes("leaf")), JSON.stringify(notes));
  ok(notes.every(({ progress }, i) => i === 0 || progress > (notes[i - 1]?.progress ?? Infinity)));
});

Deno.test("cancelling a pipeline ends the tool that its step is waiting for", async () => {
  await using server = await startServer();
  await script(
    server,
    "waits_until_cancelled",
    `{ await call("memory", { action: "store", tool_name: "e2e", key: "begun", value: 1 }); await new Promise((go) => setTimeout(go, 600_000)); }`,
  );
  await server.text("pipeline", {
    action: "create",
    name: "slow_chain",
    description: "x",
    steps: [{ tool: "waits_until_cancelled" }, {
      tool: "memory",
      args: { action: "store", tool_name: "e2e", key: "after", value: 1 },
    }],
  });
  const get = async (key: string) =>
    (await server.call("memory", { action: "get", tool_name: "e2e", key })).structuredContent?.found;
  const abort = new AbortController();
  const running = server.call("execute_code", { code: "return await tools.slow_chain()", timeout: 500 }, {
    signal: abort.signal,
  }).then(() => "answered", () => "cancelled");
  await waitFor(() => get("begun"), { timeoutMs: 60_000 });
  abort.abort();
  equal(await running, "cancelled");
  await waitFor(async () => await workers(server.pid) === 0, {
    timeoutMs: 30_000,
    what: "the processes to end",
  });
  equal(await get("after"), false);
});

/** How many processes below the server run the slow tool. */
async function workers(server: number): Promise<number> {
  let count = 0;
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === server) continue;
    const line = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    const state = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => ") Z");
    if (line.includes("/waits_until_cancelled.ts") && !/\) [ZX]/.test(state)) count++;
  }
  return count;
}
