import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { SkillzError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { okResult, resultText, type ToolResult } from "../../src/base/tool_result.ts";
import { argumentShape, type AuditEntry } from "../../src/run/audit.ts";
import type { CallContext } from "../../src/run/call_context.ts";
import { createCallTool } from "../../src/run/call_tool.ts";
import { childContext } from "../../src/run/child_context.ts";
import { createRunTool } from "../../src/run/run_tool.ts";
import type { CallTool, Runner } from "../../src/run/runner.ts";
import { resolveLimits } from "../../src/sandbox/limits.ts";
import type { Manifest, Tool } from "../../src/tools/tool.ts";
import { createValidator } from "../../src/tools/validator.ts";
import { testManifest } from "../support/test_manifest.ts";
import { testCaller, testContext } from "./_fixture.ts";

type Work = (args: JsonObject, ctx: CallContext, callTool: CallTool) => Promise<ToolResult> | ToolResult;

interface World {
  callTool: CallTool;
  audit: AuditEntry[];
}

/** Tools whose work is a function: what is tested is everything around it. */
function world(tools: Record<string, Work | { work: Work; manifest: Partial<Manifest> }>): World {
  const audit: AuditEntry[] = [];
  const validator = createValidator();
  const runner: Runner = {
    run: async (tool, request, ctx) => {
      const entry = tools[tool.name];
      const work = typeof entry === "function" ? entry : entry?.work;
      if (work === undefined || request.kind === "resource") throw new TypeError("Cannot run: no work");
      return await work(request.arguments, ctx, callTool);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const made = new Map(
    Object.entries(tools).map(([name, entry]): [string, Tool] => [name, {
      name,
      directory: "/nowhere",
      hash: name,
      manifest: testManifest(name, typeof entry === "function" ? {} : entry.manifest),
    }]),
  );
  const runTool = createRunTool({
    runners: { script: runner, wasm: runner, pipeline: runner, mcp: runner, knowledge: runner },
    checkSchema: ({ manifest }, side, value) => {
      const schema = side === "input" ? manifest.input_schema : manifest.output_schema;
      return schema === undefined ? [] : validator.problems(schema, value);
    },
    audit: { record: (entry) => void audit.push(entry) },
  });
  const callTool: CallTool = createCallTool({
    store: {
      get: (name) => made.get(name),
      list: () => [...made.values()],
      broken: () => [],
      refresh: () => Promise.resolve(),
      version: (name, version) => {
        const tool = made.get(name);
        if (version !== "0.9.0" || !tool) {
          return Promise.reject(new SkillzError("not_found", "Cannot find: no version"));
        }
        return Promise.resolve({ ...tool, manifest: { ...tool.manifest, version } });
      },
    },
    builtins: {
      has: (name) => name === "built_in",
      names: () => ["built_in"],
      call: (_name, args) => Promise.resolve(okResult(`built in ${Object.keys(args).join()}`)),
    },
    skills: () => ["know_how"],
    runTool,
    audit: { record: (entry) => void audit.push(entry) },
  });
  return { callTool, audit };
}

Deno.test("callTool() throws not_found with similar names for an unknown tool, and nothing else", async () => {
  const { callTool } = world({ weather_now: () => okResult("x") });
  await rejects(
    callTool("wether_now", {}, testContext()),
    (error) =>
      error instanceof SkillzError && error.code === "not_found" && /weather_now/.test(error.hint ?? ""),
  );
  const { callTool: failing } = world({
    t: () => {
      throw new TypeError("inside");
    },
  });
  const result = await failing("t", {}, testContext());
  equal(result.isError, true);
  match(resultText(result), /inside/);
});

Deno.test("callTool() tells what else a name is, or may be meant for", async () => {
  const { callTool } = world({});
  const hint = async (name: string) => {
    const error = await callTool(name, {}, testContext()).then(() => undefined, (error) => error);
    return `${error?.message}. ${error?.hint}`;
  };
  match(await hint("know_how"), /it is a skill, no tool\. activate_skill \{"name": "know_how"\}/);
  match(await hint("Built_In"), /no tool of that name\. Similar names: built_in/);
  match(await hint("biult_in"), /Similar names: built_in/);
  match(await hint("zzz"), /list_tools shows what there is/);
});

Deno.test("callTool() reaches built-in tools and earlier versions", async () => {
  const { callTool } = world({ t: () => okResult("made") });
  equal(resultText(await callTool("built_in", { a: 1 }, testContext())), "built in a");
  equal(resultText(await callTool("t", {}, testContext(), { version: "0.9.0" })), "made");
  await rejects(callTool("t", {}, testContext(), { version: "7.0.0" }), /no version/);
  await rejects(
    callTool("built_in", {}, testContext(), { version: "1.0.0" }),
    /only made tools have versions/,
  );
});

Deno.test("B14 arguments that are left out are {}; other types are a failure that names the type", async () => {
  const { callTool } = world({ t: (args) => okResult(JSON.stringify(args)) });
  const call = async (args: unknown) => await callTool("t", args as JsonObject, testContext());
  equal(resultText(await call(undefined)), "{}");
  for (const [args, type] of [[null, "null"], [[], "array"], ["str", "string"]] as const) {
    const result = await call(args);
    equal(result.isError, true);
    match(resultText(result), new RegExp(`arguments is ${type}, it must be an object`));
  }
});

Deno.test("callTool() checks arguments and results against their schemas", async () => {
  const number = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as JsonObject;
  const { callTool } = world({
    t: {
      work: (args) => okResult("the text", { n: args.n === 1 ? 1 : "one" }),
      manifest: { input_schema: number },
    },
    u: { work: (args) => okResult("the text", { n: args.n ?? "one" }), manifest: { output_schema: number } },
    v: { work: () => okResult("no data"), manifest: { output_schema: number } },
  });
  const refused = await callTool("t", { n: "1" }, testContext());
  equal(refused.isError, true);
  match(resultText(refused), /input_schema.*n/);
  equal((await callTool("u", { n: 2 }, testContext())).isError, undefined);
  const bad = await callTool("u", {}, testContext());
  equal(bad.isError, true);
  match(resultText(bad), /output_schema[^]*the text/);
  equal(bad.structuredContent, undefined);
  match(resultText(await callTool("v", {}, testContext())), /holds no object/);
});

Deno.test("callTool() refuses a result that is longer than limits.output_bytes", async () => {
  const manifest = { limits: resolveLimits({ output_bytes: 1000 }) };
  const { callTool } = world({
    long: { work: () => okResult("x".repeat(1001)), manifest },
    short: { work: () => okResult("x".repeat(900), { text: "y".repeat(900) }), manifest },
  });
  match(resultText(await callTool("long", {}, testContext())), /limits\.output_bytes is 1000/);
  equal((await callTool("short", {}, testContext())).isError, undefined);
});

Deno.test("callTool() does not run a disabled tool", async () => {
  const { callTool } = world({ t: { work: () => okResult("x"), manifest: { disabled: true } } });
  match(resultText(await callTool("t", {}, testContext())), /it is disabled/);
});

Deno.test("B51 a cycle is a failure that names the chain; an honest chain works; depth has an end", async () => {
  const down: Work = (args, ctx, callTool) =>
    Number(args.n) === 0 ? okResult(`depth ${ctx.depth}`) : callTool(
      `level_${Number(args.n) - 1}`,
      { n: Number(args.n) - 1 },
      childContext(ctx, { tool: `level_${args.n}` }),
    );
  const levels = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`level_${n}`, down]));
  const { callTool } = world({
    ...levels,
    a: (_args, ctx, call) => call("b", {}, childContext(ctx, { tool: "a" })),
    b: (_args, ctx, call) => call("a", {}, childContext(ctx, { tool: "b" })),
  });
  const cycle = await callTool("a", {}, testContext());
  equal(cycle.isError, true);
  match(resultText(cycle), /cycle is a → b → a/);
  equal(resultText(await callTool("level_5", { n: 5 }, testContext())), "depth 5");
  const deep = await callTool("level_29", { n: 29 }, testContext());
  equal(deep.isError, true);
  match(resultText(deep), /depth limit is 16/);
});

Deno.test("callTool() ends a call after limits.timeout_ms and names the limit", async () => {
  let reason: unknown;
  const { callTool } = world({
    t: {
      work: (_args, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            reject(signal.reason);
          })
        ),
      manifest: { limits: resolveLimits({ timeout_ms: 30 }) },
    },
    deaf: {
      work: (_args, ctx) => {
        ctx.confined?.({ mode: "some" });
        return new Promise(() => {});
      },
      manifest: { limits: resolveLimits({ timeout_ms: 30 }) },
    },
  });
  for (const [name, isolation] of [["t", undefined], ["deaf", { mode: "some" }]] as const) {
    const result = await callTool(name, {}, testContext());
    deepEqual(result._meta?.["skillz/isolation"], isolation);
    equal(result.isError, true);
    match(resultText(result), /limits\.timeout_ms is 30/);
  }
  ok(reason instanceof SkillzError && reason.code === "timeout");
});

Deno.test("callTool() stops the clock while a question is with the client", async () => {
  const { caller } = testCaller({
    answer: () => new Promise((resolve) => setTimeout(() => resolve({ action: "accept" }), 400)),
  });
  const { callTool } = world({
    outer: {
      work: (_args, ctx, call) => call("inner", {}, childContext(ctx, { tool: "outer" })),
      manifest: { limits: resolveLimits({ timeout_ms: 300 }) },
    },
    inner: {
      work: async (_args, ctx) => {
        const answer = await ctx.caller.ask({ method: "elicitation/create", params: {} }, ctx.signal);
        return okResult(String(answer.action));
      },
      manifest: { limits: resolveLimits({ timeout_ms: 300 }) },
    },
  });
  equal(resultText(await callTool("outer", {}, testContext({ caller }))), "accept");
});

Deno.test("callTool() gives a nested call the earlier deadline", async () => {
  const { callTool } = world({
    outer: {
      work: (_args, ctx, call) => call("inner", {}, childContext(ctx, { tool: "outer" })),
      manifest: { limits: resolveLimits({ timeout_ms: 5_000 }) },
    },
    inner: (_args, ctx) => okResult(String((ctx.deadline ?? Infinity) - Date.now() <= 5_000)),
  });
  equal(resultText(await callTool("outer", {}, testContext())), "true");
  const late = await callTool("inner", {}, testContext({ deadline: Date.now() - 1 }));
  equal(late.isError, true);
  match(resultText(late), /time limit of the call above/);
});

Deno.test("callTool() says that a call was cancelled, also one that was cancelled before", async () => {
  const { callTool } = world({ t: () => new Promise(() => {}) });
  const stop = new AbortController();
  const call = callTool("t", {}, testContext({ signal: stop.signal }));
  stop.abort();
  match(resultText(await call), /was cancelled/);
  match(resultText(await callTool("t", {}, testContext({ signal: stop.signal }))), /was cancelled/);
});

Deno.test("callTool() records shapes, never values, of every call", async () => {
  const { callTool, audit } = world({ t: () => ({ content: [], isError: true }) });
  await callTool("t", { key: "secret", list: [1, 2], deep: { a: { b: { c: 1 } } } }, testContext());
  await callTool("built_in", {}, testContext());
  await callTool("t", "x" as unknown as JsonObject, testContext());
  deepEqual(audit.map(({ tool, outcome }) => [tool, outcome]), [["t", "error"], ["built_in", "ok"], [
    "t",
    "invalid_input",
  ]]);
  deepEqual(audit[0]?.arguments, { key: "string", list: "array(2)", deep: { a: { b: "object(1)" } } });
  equal(JSON.stringify(audit).includes("secret"), false);
  equal(argumentShape({ ["k".repeat(100)]: 1 }) instanceof Object, true);
});
