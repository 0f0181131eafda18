import { resolveLimits } from "../../src/sandbox/limits.ts";
import type { Manifest } from "../../src/tools/tool.ts";

/** A manifest with all defaults. */
export function testManifest(name: string, changes: Partial<Manifest> = {}): Manifest {
  return {
    name,
    description: name,
    version: "1.0.0",
    tool_type: "script",
    input_schema: { type: "object", properties: {} },
    dependencies: [],
    wasm_dependencies: [],
    limits: resolveLimits({ timeout_ms: 60_000 }),
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
    ...changes,
  };
}
