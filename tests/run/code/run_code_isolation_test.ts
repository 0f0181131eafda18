import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { resultText } from "../../../src/base/tool_result.ts";
import { fakeCaller, fakeContext } from "../../support/fake_caller.ts";
import { needs } from "../../support/needs.ts";
import { codeApp } from "./_code_app.ts";

const file = (path: string) => JSON.stringify(`file://${path}`);

/** Programs that try to get at a file without permission; each returns or prints its text if it succeeds. */
const READS: Readonly<Record<string, (path: string) => string>> = {
  "Deno's file system": (path) => `return await Deno.readTextFile(${JSON.stringify(path)})`,
  "Node's file system": (path) =>
    `return (await import("node:fs")).readFileSync(${JSON.stringify(path)}, "utf8")`,
  "a dynamic text import": (path) =>
    `return (await import(${file(path)}, { with: { type: "text" } })).default`,
  "a dynamic import of a local module": (path) => `return (await import(${file(path)})).secret`,
  "code that closes the function around it": (path) =>
    `} ; import secret from ${file(path)} with { type: "text" } ; { print(secret)`,
  "code that closes the function and exports its own": (path) =>
    `} ; import secret from ${file(path)} with { type: "text" } ; export { secret } ; { print(secret)`,
  "a data: module that imports it": (path) =>
    `const code = 'import x from ${file(path)} with { type: "text" }; export default x';
return (await import("data:text/javascript," + encodeURIComponent(code))).default`,
  "a worker whose module imports it": (path) =>
    `const code = 'import x from ${file(path)} with { type: "text" }; postMessage(x)';
return await new Promise((go, no) => {
  const worker = new Worker("data:text/javascript," + encodeURIComponent(code), { type: "module" });
  worker.onmessage = (event) => go(event.data);
  worker.onerror = (event) => { event.preventDefault(); no(new Error(event.message)); };
})`,
  "a program that it starts": (path) =>
    `const { stdout } = await new Deno.Command("cat", { args: [${JSON.stringify(path)}] }).output();
return new TextDecoder().decode(stdout)`,
};

// Without a sandbox around it, Deno's own permissions have to hold.
for (const mode of ["none", "auto"]) {
  Deno.test(`run() keeps code from reading files (sandbox: ${mode})`, async (t) => {
    await using app = await codeApp({ env: { SKILLZ_SANDBOX: mode } });
    const path = join(app.root, "secret.mjs");
    await Deno.writeTextFile(path, `export const secret = "canary-text";\n`);
    for (const [way, code] of Object.entries(READS)) {
      await t.step(`through ${way}`, async () => {
        for (const language of mode === "none" ? ["javascript", "typescript"] : ["javascript"]) {
          const result = await app.run(code(path), { language });
          equal(result.isError, true, `${language}: ${resultText(result)}`);
          match(resultText(result), mode === "none" ? /Requires (read|run) access/ : /./);
          ok(!JSON.stringify(result).includes("canary-text"), JSON.stringify(result));
        }
      });
    }
  });
}

Deno.test("run() lets code do what its permissions grant, and says which one is missing", async () => {
  await using app = await codeApp({ env: { SKILLZ_SANDBOX: "none" } });
  const path = join(app.root, "open.mjs");
  await Deno.writeTextFile(path, `export const secret = "open-text";\n`);
  const permissions = { read: ["$ROOTS"] };
  for (const way of ["Deno's file system", "a dynamic text import", "a dynamic import of a local module"]) {
    const { structuredContent } = await app.run(READS[way]?.(path) ?? "", {
      language: "javascript",
      permissions,
    });
    match(String(structuredContent?.result), /open-text/);
  }
  const denied = await app.run(`return await Deno.readTextFile(${JSON.stringify(path)})`, {
    language: "javascript",
  });
  match(resultText(denied), /Requires read access.*\n.*pass permissions: \{"read":\["\/.*open\.mjs"\]\}/);
});

Deno.test("run() denies everything else to code without permissions", async (t) => {
  await using app = await codeApp();
  for (
    const [access, code] of [
      ["net", `await fetch("http://127.0.0.1:8123/")`],
      ["run", `await new Deno.Command("true").output()`],
      ["sys", `Deno.hostname()`],
      ["import", `await import("https://example.com/x.js")`],
      ["write", `await Deno.writeTextFile("/usr/new", "")`],
    ] as const
  ) {
    await t.step(access, async () => {
      const result = await app.run(code, { language: "javascript" });
      equal(result.isError, true);
      match(resultText(result), new RegExp(`Requires ${access} access|--no-remote`));
    });
  }
});

Deno.test("run() gives code neither the server's variables nor secrets", async () => {
  await using app = await codeApp({ env: { AWS_SECRET_ACCESS_KEY: "canary-aws", SKILLZ_KEY: "canary-key" } });
  const code = `return { env: Deno.env.toObject() }`;
  const result = await app.run(code, { language: "javascript" });
  equal(result.isError, undefined, resultText(result));
  ok(!JSON.stringify(result).includes("canary"));
  const granted = await app.run(`return Deno.env.get("SKILLZ_KEY")`, {
    language: "javascript",
    permissions: { env: ["SKILLZ_KEY"] },
  });
  equal(granted.structuredContent?.result, "canary-key");
});

Deno.test({
  name: "run() confines Python as it confines scripts",
  ignore: needs("python3", "bwrap"),
  async fn() {
    await using app = await codeApp({
      env: { AWS_SECRET_ACCESS_KEY: "canary-aws", SKILLZ_KEY: "canary-key" },
    });
    const path = join(app.root, "secret.txt");
    await Deno.writeTextFile(path, "canary-text");
    const read = `open(${JSON.stringify(path)}).read()`;
    const denied = await app.run(read, { language: "python" });
    equal(denied.isError, true);
    match(resultText(denied), /pass permissions: \{"read":\["\/.*secret\.txt"\]\}/);
    const granted = await app.run(read, { language: "python", permissions: { read: ["$ROOTS"] } });
    equal(granted.structuredContent?.result, "canary-text");
    const rest = await app.run(
      `import os, socket
def failed(work):
    try:
        work()
        return False
    except OSError:
        return True
[dict(os.environ), failed(lambda: socket.create_connection(("127.0.0.1", 9), 2)), failed(lambda: open("/usr/new", "w"))]`,
      { language: "python" },
    );
    const [env, net, write] = rest.structuredContent?.result as [Record<string, string>, boolean, boolean];
    ok(!JSON.stringify(env).includes("canary"));
    deepEqual([net, write], [true, true]);
  },
});

Deno.test("run() holds code to the tools that it may call, however it calls them", async () => {
  await using app = await codeApp({ tools: ["weather", "texts"] });
  const tools = ["texts"];
  const typed = await app.run(`return await tools.weather({ city: "Oslo" })`, { tools });
  match(
    resultText(typed),
    /^Nothing was run[^]*This program has no tool "weather"\. There is one: add "weather" to/,
  );
  for (
    const code of [
      `return await tools.weather({ city: "Oslo" })`,
      `return await tools.call_tool({ tool_name: "weather", arguments: { city: "Oslo" } })`,
      `return await (await import("skillz")).call("weather", { city: "Oslo" })`,
      `return await (await import("skillz")).call("execute_code", { code: "return 1" })`,
    ]
  ) {
    const result = await app.run(code, { language: "javascript", tools });
    equal(result.isError, true, code);
    match(resultText(result), /this program has no such tool/);
  }
  const allowed = await app.run(`return [await tools.texts({ n: 1 }), await tools.search("weather")]`, {
    tools,
  });
  deepEqual(allowed.structuredContent?.result, ["text of 1", []]);
});

Deno.test("run() gains nothing from forged lines of the protocol", async () => {
  await using app = await codeApp({ tools: ["texts"] });
  const forged = (message: unknown) =>
    `Deno.stdout.writeSync(new TextEncoder().encode(${JSON.stringify(`${JSON.stringify(message)}\n`)}));`;
  const request = (id: number, method: string, params: unknown) =>
    forged({ jsonrpc: "2.0", id, method, params });
  const caller = fakeCaller({ answer: () => ({ action: "accept" }) });
  const result = await app.run(
    [
      request(901, "tools/call", { name: "list_tools", arguments: {} }),
      request(902, "memory/set", { key: "k", value: 1 }),
      request(903, "elicitation/create", { message: "?", requestedSchema: { type: "object" } }),
      request(904, "sampling/createMessage", { messages: [], maxTokens: 1 }),
      forged({ jsonrpc: "2.0", id: 77, result: { value: "for somebody else" } }),
      "return await tools.texts({ n: 3 })",
    ].join("\n"),
    { language: "javascript", tools: ["texts"] },
    fakeContext({ caller }),
  );
  equal(result.structuredContent?.result, "text of 3");
  equal(result.structuredContent?.tool_calls, 1);
  deepEqual(caller.questions, []);
  const { entries } = await app.data("memory", { action: "list", tool_name: "execute_code" });
  deepEqual(entries, []);
});

Deno.test("run() counts calls by itself when code forges its own answer", async () => {
  await using app = await codeApp();
  const answer = {
    jsonrpc: "2.0",
    id: 1,
    result: { printed: "forged", left_out: 0, tool_calls: 99, success: 1 },
  };
  const result = await app.run(
    `await tools.memory({ action: "stats" });
Deno.stdout.writeSync(new TextEncoder().encode(${JSON.stringify(`${JSON.stringify(answer)}\n`)}));
await new Promise(() => {});`,
    { language: "javascript" },
  );
  equal(result.structuredContent?.output, "forged");
  equal(result.structuredContent?.tool_calls, 1);
  equal(result.structuredContent?.success, true);
});
