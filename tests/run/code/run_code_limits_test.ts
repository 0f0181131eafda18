import { deepEqual, equal, match, ok } from "node:assert/strict";
import { resultText } from "../../../src/base/tool_result.ts";
import { fakeCaller, fakeContext } from "../../support/fake_caller.ts";
import { needs } from "../../support/needs.ts";
import { waitFor } from "../../support/wait_for.ts";
import { codeApp } from "./_code_app.ts";

Deno.test("run() lets one program make 1000 calls and no more", async () => {
  await using app = await codeApp();
  const result = await app.run(
    `let made = 0;
for (let at = 0; at < 1100; at += 100) {
  await Promise.all(Array.from({ length: 100 }, async () => {
    try { await tools.memory({ action: "stats" }); made++; } catch (error) { print((error as Error).message); }
  }));
}
return made;`,
    { timeout: 300 },
  );
  equal(result.structuredContent?.result, 1000, resultText(result).slice(0, 500));
  equal(result.structuredContent?.tool_calls, 1000);
  const told = String(result.structuredContent?.output).trim().split("\n");
  equal(told.length, 100);
  match(told[0] ?? "", /one program may make 1000 calls/);
});

Deno.test({
  name: "run() ends code that never ends, says how long it ran and what it had printed",
  ignore: needs("python3"),
  async fn() {
    await using app = await codeApp();
    const endless = [
      ["javascript", "print('begun'); while (true);"],
      ["javascript", "console.log('begun'); await new Promise(() => {});"],
      ["javascript", "await tools.memory({ action: 'list' }); print('begun'); while (true);"],
      ["python", "print('begun')\nwhile True: pass"],
    ] as const;
    await Promise.all(endless.map(async ([language, code]) => {
      const result = await app.run(code, { language, timeout: 8 });
      equal(result.isError, true);
      match(resultText(result), /^begun\n.*longer than its limit, timeout is 8 s\..*greater timeout/);
      deepEqual([result.structuredContent?.output, result.structuredContent?.success], ["begun\n", false]);
      match((result.structuredContent?.error as { message: string }).message, /timeout is 8 s/);
    }));
  },
});

Deno.test("run() ends the program when the call is cancelled", async () => {
  await using app = await codeApp();
  const abort = new AbortController();
  const running = app.run("await tools.memory({ action: 'store', key: 'k', value: 1 }); while (true);", {
    language: "javascript",
  }, fakeContext({ signal: abort.signal }));
  await waitFor(async () => (await app.data("memory", { action: "get", key: "k" })).found === true);
  abort.abort();
  const result = await running;
  equal(result.isError, true);
  match(resultText(result), /cancelled/);
});

Deno.test("run() ends the calls under way with their program", async () => {
  await using app = await codeApp();
  await app.register("slow", "new Promise((go) => setTimeout(go, 600_000))");
  const result = await app.run("tools.slow(); tools.slow(); return 'done';", { language: "javascript" });
  equal(result.structuredContent?.result, "done");
  // Closing waits for what runs: it would take ten minutes.
});

Deno.test("run() keeps the beginning of what is printed, and tells how much it left out", async () => {
  await using app = await codeApp();
  const result = await app.run(
    "const line = 'x'.repeat(1024 * 1024 - 1); for (let i = 0; i < 1024; i++) print(line); return 'all of it';",
    { language: "javascript" },
  );
  equal(result.structuredContent?.result, "all of it");
  const output = String(result.structuredContent?.output);
  ok(output.length < 300_000);
  match(
    output.slice(-100),
    new RegExp(`… ${2 ** 30 - 256 * 1024} more characters were printed and left out$`),
  );
});

Deno.test("run() refuses a result that is too long, and output that goes around print", async () => {
  await using app = await codeApp();
  for (
    const code of [
      "return 'x'.repeat(12_000_000)",
      "const b = new TextEncoder().encode('x'.repeat(65535) + '\\n'); for (;;) Deno.stdout.writeSync(b)",
    ]
  ) {
    const result = await app.run(code, { language: "javascript" });
    equal(result.isError, true);
    match(resultText(result), /longer than its limit, limits.output_bytes/);
  }
});

Deno.test({
  name: "run() ends code that takes too much memory, and names the limit",
  ignore: needs("bwrap"),
  async fn() {
    await using app = await codeApp();
    const result = await app.run(
      "const kept = []; for (;;) { kept.push(new Uint8Array(16_000_000).fill(1)); await new Promise((go) => setTimeout(go, 5)); }",
      { language: "javascript" },
    );
    equal(result.isError, true);
    match(resultText(result), /memory_mb 512 exceeded/);
  },
});

Deno.test("B51 execute_code can't come back to itself, neither directly nor through a script or pipeline", async () => {
  await using app = await codeApp();
  const direct = await app.run(`await tools.execute_code({ code: "return 1" });`);
  match(resultText(direct), /cycle is execute_code → execute_code/);
  await app.register("again", `call("execute_code", { code: "return await tools.again()" })`, {
    code: 'import { call, tool } from "skillz"; tool(() => call("execute_code", { code: "return 1" }));',
  });
  match(resultText(await app.run("await tools.again();")), /cycle is execute_code → again → execute_code/);
  await app.data("pipeline", {
    action: "create",
    name: "round",
    description: "Comes back",
    steps: [{ tool: "execute_code", args: { code: "return await tools.round()" } }],
  });
  for (const result of [await app.call("round"), await app.run("return await tools.round()")]) {
    equal(result.isError, true);
    match(resultText(result), /the cycle is/);
  }
});

Deno.test("run() passes its deadline down to the tools that it calls", async () => {
  await using app = await codeApp();
  await app.register("deadline", "context.call.deadline", {
    code: 'import { tool } from "skillz"; tool((_args, context) => ({ deadline: context.call.deadline }));',
  });
  const before = Date.now();
  const result = await app.run("return (await tools.deadline()).deadline", { timeout: 20 });
  const left = Number(result.structuredContent?.result) - before;
  ok(left > 0 && left <= 20_000 + (Date.now() - before), `deadline in ${left} ms`);
});

Deno.test("run() lets a called tool ask the user, but not the program itself", async () => {
  await using app = await codeApp();
  await app.register("asks", "", {
    code:
      'import { elicit, tool } from "skillz"; tool(async () => await elicit("Sure?", { ok: { type: "boolean" } }));',
  });
  const caller = fakeCaller({ answer: () => ({ action: "accept", content: { ok: true } }) });
  const asked = await app.run("return await tools.asks()", {}, fakeContext({ caller }));
  deepEqual(asked.structuredContent?.result, { action: "accept", content: { ok: true } });
  equal(caller.questions.length, 1);
  const forged = await app.run(
    `const { elicit } = await import("skillz"); return await elicit("Your password?", { p: { type: "string" } });`,
    { language: "javascript" },
    fakeContext({ caller }),
  );
  equal(forged.isError, true);
  equal(caller.questions.length, 1);
});
