import { deepEqual, equal, match, rejects } from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import type { ToolResult } from "../../src/base/tool_result.ts";
import { fakeCaller, fakeContext } from "../support/fake_caller.ts";
import { type TestApp, testApp } from "../support/test_app.ts";

const ROWS = "Array.from({ length: 100_000 }, (_, n) => ({ n, name: `row ${n}` }))";

async function appWithRows(): Promise<TestApp> {
  const app = await testApp();
  const register = (name: string, more: JsonObject = {}) =>
    app.data("register_script", {
      name,
      description: name,
      extension: "ts",
      code: `import { tool } from "skillz";\ntool(() => ({ rows: ${ROWS} }));\n`,
      permissions: {},
      ...more,
    });
  await register("rows");
  await register("typed_rows", {
    output_schema: { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] },
  });
  return app;
}

/** Calls as a client does. */
async function call(app: TestApp, name: string, args: JsonObject = {}): Promise<ToolResult> {
  return await app.app.ports.tools.call(name, args, fakeContext());
}

function rowsOf(result: ToolResult): number {
  return (result.structuredContent?.rows as unknown[] | undefined)?.length ?? 0;
}

Deno.test("a large result reaches a client as its beginning and a resource that only its session reads", async () => {
  await using app = await appWithRows();
  for (const result of [await call(app, "rows"), await call(app, "call_tool", { tool_name: "rows" })]) {
    equal(JSON.stringify(result).length < 8000, true);
    const link = result.content.find((block) => block.type === "resource_link");
    const uri = String(link?.uri);
    match(String(result.content[0]?.text), /resources|\?from=4096&to=/);
    const { resources } = app.app.ports;
    const [whole] = await resources.read(uri, fakeContext());
    equal(whole?.mimeType, "application/json");
    equal(JSON.parse(whole?.text ?? "").rows.length, 100_000);
    const [part] = await resources.read(`${uri}?from=10&to=20`, fakeContext());
    equal(part?.text, whole?.text?.slice(10, 20));
    const stranger = fakeContext({ caller: fakeCaller({ sessionId: "stranger" }) });
    await rejects(resources.read(uri, stranger), /another session/);
    await rejects(resources.read(`${uri}?from=x`, fakeContext()), /whole number/);
  }
});

Deno.test("large data are whole where clients may hold the tool to its output schema, their text is not", async () => {
  await using app = await appWithRows();
  for (
    const result of [await call(app, "typed_rows"), await call(app, "call_tool", { tool_name: "typed_rows" })]
  ) {
    equal(rowsOf(result), 100_000);
    // The data once are enough; models read the text.
    equal(JSON.stringify(result.content).length < 8000, true);
    const link = result.content.find((block) => block.type === "resource_link");
    const [whole] = await app.app.ports.resources.read(String(link?.uri), fakeContext());
    equal(JSON.parse(whole?.text ?? "").rows.length, 100_000);
  }
});

Deno.test("tools among themselves get large results whole; what they return to the client is shortened", async () => {
  await using app = await appWithRows();
  const code = await call(app, "execute_code", {
    code: "const { rows } = await tools.rows(); print(rows.length); return rows;",
  });
  equal(code.structuredContent?.output, "100000\n");
  equal(code.structuredContent?.success, true);
  equal((code.structuredContent?.result as JsonObject).truncated, true);
  await app.data("pipeline", {
    action: "create",
    name: "chain",
    description: "x",
    steps: [{ name: "a", tool: "rows" }, {
      name: "b",
      tool: "execute_code",
      args: { code: "return 1" },
      condition: "$a.rows.length == 100000",
    }],
    output: { last: "$b.result", all: "$a.rows" },
  });
  const piped = await call(app, "chain");
  equal(piped.structuredContent?.success, true, String(piped.content[0]?.text));
  deepEqual((piped.structuredContent?.output as JsonObject).truncated, true);
});
