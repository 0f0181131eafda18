import type { Tool } from "../../tools/tool.ts";

/**
 * How a tool that was just made can be called now, in words for a model. Many clients ignore `tools/list_changed`, so
 * `call_tool` comes first.
 */
export function howToCallNow({ name, manifest }: Tool): string {
  const args = JSON.stringify(manifest.examples[0]?.arguments ?? exampleArguments(manifest.input_schema));
  const call = `Call it now: call_tool {"tool_name": "${name}", "arguments": ${args}}.`;
  return manifest.core
    ? `${call} It is listed in tools/list too.`
    : `${call} activate_skill {"name": "${name}"} lists it in tools/list.`;
}

function exampleArguments(schema: Tool["manifest"]["input_schema"]): Record<string, string> {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(required.map((key) => [String(key), "…"]));
}
