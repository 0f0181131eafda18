import assert from "node:assert/strict";
import { manifestSchemaText } from "../../scripts/manifest_schema.ts";
import { createValidator } from "../../src/tools/validator.ts";

const FILE = new URL("../../schemas/manifest.schema.json", import.meta.url);

Deno.test("schemas/manifest.schema.json is what scripts/manifest_schema.ts writes", async () => {
  assert.equal(
    await Deno.readTextFile(FILE),
    manifestSchemaText(),
    "run: deno run -A scripts/manifest_schema.ts",
  );
});

Deno.test("schemas/manifest.schema.json describes every field, and validates manifests", async () => {
  const schema = JSON.parse(await Deno.readTextFile(FILE));
  assert.ok(Object.keys(schema.properties).length > 35);
  const visit = (
    fields: Record<string, { description?: string; properties?: never }>,
    path: string,
  ): void => {
    for (const [name, field] of Object.entries(fields)) {
      assert.ok(field.description, `${path}${name} has no description`);
      if (field.properties) visit(field.properties, `${path}${name}.`);
    }
  };
  visit(schema.properties, "");
  const { problems } = createValidator();
  assert.deepEqual(await problems(schema, { name: "x", description: "d", mine: 1 }), []);
  assert.deepEqual(await problems(schema, { name: "a b", tool_type: "x", limits: { timeout: 1 } }), [
    "description is missing",
    'name must match pattern "^[a-zA-Z0-9_-]{1,64}$"',
    'tool_type must be one of "script", "wasm", "pipeline", "mcp", "knowledge"',
    "limits.timeout is not a known field",
  ]);
});
