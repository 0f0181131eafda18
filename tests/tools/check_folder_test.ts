import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { checkFolder } from "../../src/tools/check_folder.ts";
import { tempDir } from "../support/temp_dir.ts";
import { handMade, write } from "./_support.ts";

const FINE: JsonObject = {
  input_schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  permissions: {},
};

/** What is found in a folder with these fields, as `level field`. */
async function findings(fields: JsonObject, files: Record<string, string> = {}): Promise<string[]> {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x", fields);
  await write(folder, files);
  const check = await checkFolder(folder);
  for (const finding of check.findings) assert.equal(finding.folder, "x");
  return check.findings.map(({ level, field }) => `${level} ${field ?? ""}`.trim());
}

Deno.test("checkFolder() finds nothing in a folder that is fine", async () => {
  await using dir = await tempDir();
  const folder = await handMade(dir.path, "x", { ...FINE, examples: [{ arguments: { n: 1 } }] });
  const check = await checkFolder(folder);
  assert.deepEqual(check.findings, []);
  assert.equal(check.manifest?.name, "x");
});

const CASES: [what: string, fields: JsonObject, found: string[]][] = [
  ["a wrong limit", { ...FINE, limits: { timeout_ms: -1 } }, ["error limits.timeout_ms"]],
  ["several faults", { ...FINE, version: "1", permissions: { net: "x" } }, [
    "error version",
    "error permissions.net",
  ]],
  ["a schema of no object", { ...FINE, input_schema: { type: "string" } }, ["error input_schema"]],
  ["a schema that can't be compiled", { ...FINE, output_schema: { type: "object", minProperties: "a" } }, [
    "error output_schema",
  ]],
  ["an example that its own schema refuses", {
    ...FINE,
    examples: [{ arguments: { n: 1 } }, { arguments: { n: "x" } }],
  }, [
    "error examples[1].arguments",
  ]],
  [
    "an example of a failure",
    { ...FINE, examples: [{ arguments: {}, expect: { error: "n is missing" } }] },
    [],
  ],
  ["an entry file that is gone", { ...FINE, entry_file: "gone.sh" }, ["error"]],
  ["a resource without its file", { ...FINE, resources: [{ uri: "x://a", name: "a", file: "gone.txt" }] }, [
    "error resources[0].file",
  ]],
  ["no description", { ...FINE, description: "" }, ["error description"]],
  ["a day that no calendar has", { ...FINE, created_at: "2025-13-01T00:00:00Z" }, ["error created_at"]],
  ["no schema", { permissions: {} }, ["warning input_schema"]],
  ["no permissions", { input_schema: {} }, ["warning permissions"]],
  ["a field that is misspelt", { ...FINE, dependancies: [] }, ["warning dependancies"]],
  ["fields for other programs", { ...FINE, "$schema": "x", "x-mine": 1 }, []],
];

for (const [what, fields, found] of CASES) {
  Deno.test(`checkFolder() judges ${what}`, async () => {
    assert.deepEqual(await findings(fields), found);
  });
}

Deno.test("checkFolder() tells why a folder can't be read at all, and passes knowledge over", async () => {
  await using dir = await tempDir();
  await write(dir.path, { "a/manifest.json": "{", "b/notes.txt": "", "c/SKILL.md": "---\nname: c\n---\n" });
  await Deno.symlink("/etc", join(dir.path, "d"));
  const texts = async (name: string) =>
    (await checkFolder(join(dir.path, name))).findings.map(({ message }) => message);
  assert.match((await texts("a")).join(), /no JSON/);
  assert.match((await texts("b")).join(), /no manifest\.json/);
  assert.deepEqual(await texts("c"), []);
  assert.match((await texts("d")).join(), /is a link/);
  assert.equal((await texts("gone")).length, 1);
});
