import assert from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { GUIDE_EXAMPLES } from "../../src/guide/examples.ts";
import { needs } from "../support/needs.ts";
import { readSource } from "../support/repository.ts";
import { snippetsOf } from "../support/snippets.ts";
import { startServer, type TestServer } from "../support/server.ts";

async function readText(server: TestServer, uri: string): Promise<string> {
  const [contents] = (await server.client.readResource({ uri })).contents;
  return contents && "text" in contents ? contents.text : "";
}

async function promptText(server: TestServer, name: string, args: Record<string, string>): Promise<string> {
  const [message] = (await server.client.getPrompt({ name, arguments: args })).messages;
  return message?.content.type === "text" ? message.content.text : "";
}

/** The `index`th block of a language in a text. */
function block(text: string, language: string, index = 0): string {
  const found = snippetsOf(text).filter((snippet) => snippet.language === language)[index];
  assert.ok(found, `no ${language} block ${index}`);
  return found.code;
}

Deno.test("every example of the guide can be registered, and its own examples hold", async (t) => {
  await using server = await startServer({ env: { SKILLZ_ROOTS: "/usr/share" } });
  const shown = await readText(server, "skillz://examples");
  for (const example of GUIDE_EXAMPLES) {
    await t.step({
      name: example.title,
      ignore: needs(example.needs),
      async fn() {
        if (example.arguments.code) assert.ok(shown.includes(example.arguments.code.trimEnd()));
        await server.text(example.with, example.arguments);
      },
    });
  }
  await t.step({
    name: "a tool of the examples calls another one and remembers",
    ignore: needs("node", "python3"),
    async fn() {
      await server.text("call_tool", { tool_name: "running_average", arguments: { number: 2 } });
      const result = await server.call("call_tool", {
        tool_name: "running_average",
        arguments: { number: 4 },
      });
      assert.deepEqual(result.structuredContent, { average: 3, count: 2 }, resultText(result));
    },
  });
});

Deno.test(
  "the scripts of the guide work as they stand",
  { ignore: needs("python3", "node", "ruby", "bash") },
  async () => {
    await using server = await startServer();
    const guide = await readText(server, "skillz://guide");
    const input_schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
    const rows: [string, string, string][] = [
      ["python", "python3", "python"],
      ["typescript", "deno run", "ts"],
      ["javascript", "node", "ts"],
      ["ruby", "ruby", "ruby"],
      ["bash", "bash", "sh"],
    ];
    for (const [name, interpreter, language] of rows) {
      // The same code is shown for TypeScript and JavaScript; Node gets it without the type.
      const code = block(guide, language).replace(interpreter === "node" ? ": { text: string }" : "\0", "");
      await server.text("register_script", {
        name,
        description: "from the guide",
        interpreter,
        code,
        input_schema,
      });
      const result = await server.call(name, { text: "one two three" });
      assert.match(resultText(result), /\b3\b/, name);
    }
    assert.deepEqual(JSON.parse(block(guide, "json", 1)).run, ["git"]);
  },
);

Deno.test("create_python_tool teaches code that works", { ignore: needs("python3") }, async () => {
  await using server = await startServer();
  const text = await promptText(server, "create_python_tool", {
    name: "counter",
    description: "Counts words",
  });
  const call = JSON.parse(block(text, "json"));
  assert.equal(call.name, "counter");
  await server.text("register_script", { ...call, description: "d", code: block(text, "python") });
  assert.deepEqual((await server.call("counter", { text: "a b", times: 2 })).structuredContent, {
    words: 4,
    calls: 2,
  });
});

Deno.test("create_api_tool teaches code that reaches its host and no other", async () => {
  const serve = () =>
    Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      ({ url }) => Response.json({ path: new URL(url).pathname }),
    );
  const web = serve();
  const secret = serve();
  try {
    await using server = await startServer();
    const address = `http://127.0.0.1:${web.addr.port}`;
    const api_url = `${address}/v1`;
    const text = await promptText(server, "create_api_tool", {
      name: "api",
      api_url,
      description: "Says hello",
    });
    const tool = { ...JSON.parse(block(text, "json")), description: "d" };
    await server.text("register_script", { ...tool, code: block(text, "ts") });
    for (
      const [path, reached] of [[undefined, "/v1"], ["items", "/v1/items"], ["/items/1", "/v1/items/1"]]
    ) {
      const answer = await server.call("api", path === undefined ? {} : { path });
      assert.deepEqual(answer.structuredContent, { path: reached }, resultText(answer));
    }
    const code = block(text, "ts").replace(address, `http://127.0.0.1:${secret.addr.port}`);
    await server.text("register_script", { ...tool, name: "elsewhere", code });
    const other = await server.call("elsewhere", {});
    assert.equal(other.isError, true);
    assert.match(resultText(other), new RegExp(`127\\.0\\.0\\.1:${secret.addr.port}`));
  } finally {
    await Promise.all([web.shutdown(), secret.shutdown()]);
  }
});

Deno.test("improve_tool shows source, manifest and failures", { ignore: needs("python3") }, async () => {
  await using server = await startServer();
  const code = "from skillz import tool\n\n@tool\ndef main():\n    raise ValueError('weak spot')\n";
  await server.text("register_script", { name: "weak", description: "Fails", interpreter: "python3", code });
  assert.equal((await server.call("weak")).isError, true);
  const text = await promptText(server, "improve_tool", { tool_name: "weak" });
  assert.ok(text.includes(code.trimEnd()));
  assert.match(text, /version 1\.0\.0: ValueError: weak spot/);
  await assert.rejects(
    server.client.getPrompt({ name: "improve_tool", arguments: { tool_name: "nobody" } }),
    /nobody/,
  );
  await assert.rejects(server.client.getPrompt({ name: "improve_tool", arguments: {} }), /tool_name/);
});

Deno.test("create_pipeline teaches steps that can be created", { ignore: needs("bash") }, async () => {
  await using server = await startServer();
  const input_schema = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
  for (const name of ["one", "two"]) {
    const code = `. skillz.sh\nskillz_result "${name}: $(skillz_arg text)"\n`;
    await server.text("register_script", { name, description: "d", interpreter: "bash", code, input_schema });
  }
  const text = await promptText(server, "create_pipeline", {
    name: "both",
    description: "d",
    tools: "one, two",
  });
  await server.text("pipeline", { ...JSON.parse(block(text, "json")), description: "d" });
  const result = await server.call("both", { text: "x" });
  assert.deepEqual(result.structuredContent?.output, { first: "one: x", second: "two: It said: one: x" });
});

Deno.test(
  "create_wasm_tool teaches code that compiles and runs",
  { ignore: needs("cargo", "wasm32-wasip1") },
  async () => {
    await using server = await startServer();
    const text = await promptText(server, "create_wasm_tool", {
      name: "words",
      description: "d",
      input_example: '{"text":"a b"}',
    });
    await server.text("build_tool", {
      ...JSON.parse(block(text, "json")),
      description: "d",
      code: block(text, "rust"),
    });
    assert.deepEqual((await server.call("words", { text: "a b c" })).structuredContent, { words: 3 });
    const code = block(await readSource("docs/wasm.md"), "rust");
    await server.text("build_tool", { name: "hello", description: "d", code });
    assert.equal(await server.text("hello", { name: "Ada" }), "Hello Ada");
  },
);

const IMPORTED = [
  {
    package: "mcp-server-time",
    language: "python",
    tool: "get_current_time",
    args: { timezone: "Europe/Oslo" },
    says: /Europe\/Oslo/,
  },
  {
    package: "@modelcontextprotocol/server-everything",
    language: "js",
    tool: "echo",
    args: { message: "hello" },
    says: /hello/,
  },
];

for (const row of IMPORTED) {
  Deno.test(`import_mcp_server teaches how to use ${row.package}`, {
    ignore: needs(
      row.language === "python" ? "python3" : "node",
      row.language === "python" ? "python3" : "npm",
    ),
  }, async () => {
    await using server = await startServer();
    const text = await promptText(server, "import_mcp_server", { name: "handed_on", package: row.package });
    const call = { ...JSON.parse(block(text, "json")), description: "d", code: block(text, row.language) };
    await server.text("register_script", call);
    assert.ok((await server.text("handed_on")).includes(row.tool));
    assert.match(await server.text("handed_on", { tool: row.tool, arguments: row.args }), row.says);
  });
}
