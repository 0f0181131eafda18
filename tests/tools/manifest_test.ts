import assert from "node:assert/strict";
import { OWN_VARIABLES } from "../../src/base/own_variables.ts";
import { SkillzError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { parseManifest, writeManifest } from "../../src/tools/manifest.ts";

const SMALL = { name: "x", description: "d", tool_type: "script", interpreter: "python3" };

Deno.test("parseManifest() fills in every default", () => {
  assert.deepEqual(parseManifest(SMALL), {
    ...SMALL,
    version: "1.0.0",
    input_schema: { type: "object", properties: {} },
    dependencies: [],
    wasm_dependencies: [],
    limits: {
      timeout_ms: 60_000,
      memory_mb: 512,
      cpu_ms: 60_000,
      output_bytes: 10 * 1024 * 1024,
      processes: 64,
      open_files: 1024,
      file_bytes: 100 * 1024 * 1024,
    },
    requires_services: [],
    requires_skills: [],
    core: false,
    tags: [],
    examples: [],
    lifecycle: "fresh",
    concurrency: 1,
    prompts: [],
    resources: [],
    resource_templates: [],
    task: "none",
    disabled: false,
    extra: {},
  });
});

const WHOLE: JsonObject = {
  name: "x",
  title: "X",
  description: "d",
  version: "2.0.0-beta.1",
  tool_type: "script",
  entry_file: "src/x.py",
  interpreter: "python3 -u",
  input_schema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  output_schema: { type: "object", properties: { b: { type: "number" } } },
  annotations: { title: "X", readOnlyHint: true, openWorldHint: false },
  dependencies: ["six==1.16.0"],
  wasm_dependencies: ["serde@1.0[derive]"],
  permissions: {
    net: ["api.example.com", "*.example.com:443", "[::1]:80"],
    read: ["$ROOTS"],
    env: ["SKILLZ_KEY"],
  },
  limits: { timeout_ms: 5000, memory_mb: 64 },
  env: ["SKILLZ_KEY"],
  requires_services: ["db"],
  requires_skills: ["dev"],
  core: true,
  tags: ["a"],
  examples: [{ name: "e", arguments: { a: "1" }, expect: { text: "1", structured: { b: 1 } } }],
  lifecycle: "persistent",
  concurrency: 4,
  prompts: [{ name: "p", description: "d", arguments: [{ name: "a", required: true, values: ["1"] }] }],
  resources: [{ uri: "x://a", name: "a", mime_type: "text/plain", file: "a.txt" }],
  resource_templates: [{ uri_template: "x://{a}", name: "b" }],
  task: "optional",
  icons: [{ src: "data:image/png;base64,AA==", mimeType: "image/png", sizes: ["48x48"] }],
  author: "A",
  license: "MIT",
  repository: "https://example.com/r",
  created_at: "2024-02-29T00:00:00Z",
  updated_at: "2026-01-31T23:59:59.999+01:00",
  disabled: true,
  "x-mine": { kept: [1, null] },
  later: null,
};

Deno.test("writeManifest() writes back what was read, unknown fields too", () => {
  const manifest = parseManifest(WHOLE);
  assert.deepEqual(manifest.extra, { "x-mine": { kept: [1, null] }, later: null });
  assert.equal(manifest.limits.cpu_ms, 5000);
  assert.deepEqual(writeManifest(manifest), WHOLE);
  assert.deepEqual(parseManifest(writeManifest(manifest)), manifest);
});

Deno.test("writeManifest() tells no permissions from empty ones, and no secrets from all", () => {
  for (
    const fields of [{}, { permissions: {} }, { env: [] }, { limits: { cpu_ms: 1000 } }, {
      limits: { timeout_ms: 1, cpu_ms: 60_000 },
    }]
  ) {
    const manifest = parseManifest({ ...SMALL, ...fields });
    assert.deepEqual(parseManifest(writeManifest(manifest)), manifest);
    assert.equal("permissions" in writeManifest(manifest), "permissions" in fields);
    assert.equal("env" in writeManifest(manifest), "env" in fields);
  }
});

const FAULTS: [fields: JsonObject, field: RegExp][] = [
  [{ description: undefined }, /description: is missing/],
  [{ description: "  " }, /description: is empty/],
  [{ description: 5 }, /description: expected string, received number/],
  [{ name: "../../evil" }, /name: holds other characters/],
  [{ tool_type: "docker" }, /tool_type: expected one of/],
  [{ version: "1.0" }, /version: must be a semantic version/],
  [{ version: 1 }, /version: expected string, received number/],
  [{ entry_file: "../../../etc/passwd" }, /entry_file: .*must lead straight/],
  [{ entry_file: "/etc/passwd" }, /entry_file: .*absolute/],
  [{ interpreter: "a\nb" }, /interpreter: must be a program/],
  [{ created_at: "2025-02-29" }, /created_at: must be an ISO 8601 date/],
  [{ created_at: "2025-13-01T00:00:00Z" }, /created_at/],
  [{ updated_at: "yesterday" }, /updated_at/],
  [{ limits: { timeout_ms: 0 } }, /limits\.timeout_ms: must be >=1/],
  [{ limits: { memory_mb: 1.5 } }, /limits\.memory_mb: must be a whole number/],
  [{ limits: { output_bytes: 1e18 } }, /limits\.output_bytes: must be <=/],
  [{ limits: { timeout: 5 } }, /limits\.timeout: unknown field/],
  [{ examples: [{ arguments: [] }] }, /examples\[0\]\.arguments: expected object, received array/],
  [{ prompts: [{ description: "d" }] }, /prompts\[0\]\.name: is missing/],
  [
    { prompts: [{ name: "a", description: "" }, { name: "a", description: "" }] },
    /prompts: "a" is there twice/,
  ],
  [{ resources: [{ name: "a", uri: "no uri" }] }, /resources\[0\]\.uri: must be a URI/],
  [{ resources: [{ name: "a", uri: "x://a", file: "../b" }] }, /resources\[0\]\.file: /],
  [{ resource_templates: [{ name: "a" }] }, /resource_templates\[0\]: needs a uri_template/],
  [{ icons: [{ src: "javascript:alert(1)" }] }, /icons\[0\]\.src: must be an https/],
  [{ concurrency: 2 }, /concurrency: only a persistent tool/],
  [{ tags: "a" }, /tags: expected array, received string/],
  [{ env: ["AWS_SECRET"] }, /env\[0\]: "AWS_SECRET" must be the name of a secret/],
  [
    { limits: { memory_mb: 1, open_files: 1 } },
    /memory_mb: is 1, must be >=16, .*; limits\.open_files: is 1/,
  ],
  [{ interpreter: "/usr/bin/node -r x", limits: { processes: 2 } }, /limits\.processes: is 2, must be >=16/],
  [{ tool_type: "wasm", limits: { memory_mb: 1 } }, /limits\.memory_mb: is 1, must be >=2, .*WebAssembly/],
  ...OWN_VARIABLES.flatMap((name): [JsonObject, RegExp][] => [
    [{ env: ["SKILLZ_A", name] }, /env\[1\]: SKILLZ_\w+ configures the server itself, no tool gets it/],
    [{ permissions: { env: [name] } }, /permissions\.env\[0\]: SKILLZ_\w+ configures the server itself/],
  ]),
  [{ env: ["skillz_auth_token"] }, /env\[0\]: skillz_auth_token configures the server/],
  [{ tool_type: "pipeline", pipeline_steps: [{ tool: "a", parallel: [] }] }, /pipeline_steps\[0\]/],
  [
    { tool_type: "pipeline", pipeline_steps: [{ tool: "a", for_each: [1, 2] }] },
    /for_each: must be a reference to a list, such as "\$input\.cities"/,
  ],
  [
    { tool_type: "pipeline", pipeline_steps: [{ tool: "a", retries: 2 }] },
    /pipeline_steps\[0\]\.retries: unknown field/,
  ],
  [{ tool_type: "mcp", mcp_server: { command: "a", url: "http://b" } }, /mcp_server: needs either/],
  [{ input_schema: { type: "string" } }, /input_schema: its type is "string"/],
  [{ output_schema: { oneOf: [{ type: "string" }] } }, /output_schema: its oneOf allows no object/],
];

for (const [fields, pattern] of FAULTS) {
  Deno.test(`parseManifest() refuses ${JSON.stringify(fields)} and names the field`, () => {
    assert.throws(
      () => parseManifest({ ...SMALL, ...fields }),
      (error) =>
        error instanceof SkillzError && error.code === "invalid_input" && pattern.test(error.message),
    );
  });
}

Deno.test("parseManifest() wants the folder's name, and tells all faults at once", () => {
  assert.throws(
    () => parseManifest({ ...SMALL, version: "x", core: 1 }, { folder: "y" }),
    /name: is "x", must be "y" like its folder; version: .*; core: expected boolean/,
  );
  for (const value of [null, [], "{}", 5]) assert.throws(() => parseManifest(value), /must be an object/);
});

Deno.test("parseManifest() is not changed by keys that objects inherit", () => {
  const json = JSON.parse(
    `{"name":"x","description":"d","tool_type":"knowledge","__proto__":{"core":true},"constructor":1}`,
  );
  const manifest = parseManifest(json);
  assert.equal(manifest.core, false);
  assert.deepEqual(Object.keys(manifest.extra), ["constructor"]);
  assert.equal(({} as { core?: boolean }).core, undefined);
});
