import assert from "node:assert/strict";
import { resultText } from "../../src/base/tool_result.ts";
import { needs } from "../support/needs.ts";
import { startServer } from "../support/server.ts";

const code = `read l; echo '{"jsonrpc":"2.0","id":1,"result":{"ok":1}}'`;

const INPUTS: unknown[] = [
  {},
  true,
  "{}",
  { type: "string" },
  { oneOf: [{ type: "object" }, { type: "string" }] },
  { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" },
  {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { a: { type: "integer" } },
  },
  { type: "" },
  { type: "object", properties: { a: { $ref: "#/nowhere" } } },
  undefined,
];

for (const era of ["legacy", "modern"] as const) {
  Deno.test(
    `B34 no schema spoils the list for clients of the ${era} era`,
    { ignore: needs("bash") },
    async () => {
      await using server = await startServer({ era });
      const made: string[] = [];
      for (const [index, schema] of INPUTS.entries()) {
        for (const field of ["input_schema", "output_schema"]) {
          const name = `${field}_${index}`;
          const result = await server.call("register_script", {
            name,
            description: "odd schema",
            interpreter: "bash",
            code,
            core: true,
            ...(schema === undefined ? {} : { [field]: schema }),
          });
          if (result.isError) assert.match(resultText(result), new RegExp(field), resultText(result));
          else made.push(name);
        }
      }
      assert.ok(made.length >= 10, `only ${made.join(", ")} were taken`);
      const { tools } = await server.client.listTools();
      const listed = new Set(tools.map((tool) => tool.name));
      assert.deepEqual(made.filter((name) => !listed.has(name)), []);
      for (const tool of tools) assert.equal(tool.inputSchema.type, "object", tool.name);
      assert.deepEqual((await server.call("input_schema_0")).structuredContent, { ok: 1 });
    },
  );
}
