import { z } from "zod";
import type { CodeRunner } from "../../run/code/run_code.ts";
import { permissionsSchema } from "../../tools/permissions_schema.ts";
import type { Builtin } from "../builtin.ts";
import { codeField } from "./code_field.ts";

const input = z.strictObject({
  code: codeField("Body of an async function; return or print the result").min(1),
  language: z.enum(["typescript", "javascript", "python"]).default("typescript"),
  tools: z.array(z.string()).optional().describe("Only these may be called"),
  timeout: z.number().positive().max(600).default(30).describe("Seconds"),
  permissions: permissionsSchema.optional().describe("Besides calling tools; none by default"),
});

const output = z.looseObject({ success: z.boolean() });

/** `execute_code`: runs a program that calls tools as functions and returns only what it prints or returns. */
export function createExecuteCodeTool(runner: CodeRunner): Builtin<typeof input> {
  return {
    name: "execute_code",
    title: "Run code that calls tools",
    description:
      "Do many tool calls in one: `const w = await tools.weather({city}); return w.temp` (Python: tools.weather(city=…)). " +
      "await tools.search(words) finds tools. Sandboxed; only printed and returned values come back.",
    skill: "always",
    input,
    output,
    annotations: { openWorldHint: true },
    run: ({ code, language, tools, timeout, permissions }, ctx) =>
      runner.run({
        code,
        language,
        ...(tools === undefined ? {} : { tools }),
        timeoutMs: Math.ceil(timeout * 1000),
        permissions: permissions ?? {},
      }, ctx),
  };
}
