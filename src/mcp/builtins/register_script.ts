import { z } from "zod";
import { toJsonObject } from "../../base/json.ts";
import { okResult } from "../../base/tool_result.ts";
import type { RegisterScriptDeps } from "../../author/register_script.ts";
import { loadLate } from "../../base/load_late.ts";
import { manifestSchema } from "../../tools/manifest_schema.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Builtin } from "../builtin.ts";
import { codeField } from "./code_field.ts";
import { howToCallNow } from "./how_to_call.ts";
import { madeToolFields } from "./made_tool_fields.ts";

const field = manifestSchema.shape;
const input = z.strictObject({
  ...madeToolFields,
  code: codeField("Source of the script"),
  interpreter: field.interpreter.describe(
    "Program, perhaps with arguments: python3, deno run, node, ruby, bash …",
  ),
  extension: z.string().regex(/^\.?[A-Za-z0-9]{1,10}$/).optional().describe(
    "File extension, tells the language too",
  ),
  dependencies: field.dependencies,
  requires_services: field.requires_services,
  requires_skills: field.requires_skills,
  prompts: field.prompts,
  resources: field.resources,
  resource_templates: field.resource_templates,
  task: field.task,
  lifecycle: field.lifecycle,
  concurrency: field.concurrency,
});

const output = z.looseObject({ name: z.string(), version: z.string() });

/** What `register_script` needs. */
export interface RegisterScriptToolDeps extends RegisterScriptDeps {
  /** What of a tool's prompts and resources nobody reaches, one line each. */
  hidden(tool: Tool): readonly string[];
  /** The program that an interpreter names, if this machine has none of that name. */
  missingProgram(interpreter: string): Promise<string | undefined>;
}

/** `register_script`: writes a script in any language as a tool that works at once. */
export function createRegisterScriptTool(deps: RegisterScriptToolDeps): Builtin<typeof input> {
  return {
    name: "register_script",
    title: "Register a script",
    description:
      "Write a script (Python, TypeScript, JavaScript, Ruby, bash, any program) as a tool that works at once. " +
      "Start with the helper: `from skillz import tool` and `@tool def main(city: str): return {...}`; " +
      'in JS/TS `import { tool } from "skillz"; tool(({ city }) => ({ ... }))`. See skillz://guide.',
    skill: "dev",
    input,
    output,
    annotations: { destructiveHint: false, openWorldHint: false },
    async run({ name, code, interpreter, extension, overwrite, ...manifest }, ctx) {
      const { registerScript } = await loadLate<typeof import("../../author/register_script.ts")>(
        new URL("../../author/register_script.ts", import.meta.url),
      );
      const tool = await registerScript(
        {
          name,
          code,
          ...(interpreter === undefined ? {} : { interpreter }),
          ...(extension === undefined ? {} : { extension: extension.replace(/^\./, "") }),
          overwrite,
          manifest: toJsonObject(manifest),
        },
        deps,
        ctx,
      );
      const { version } = tool.manifest;
      const kind = `script, ${tool.manifest.interpreter}`;
      const { text, call } = await howToCallNow(tool);
      const missing = await deps.missingProgram(tool.manifest.interpreter ?? "");
      const warning = missing === undefined
        ? undefined
        : `It can't be called on this machine yet: there is no program ${
          JSON.stringify(missing)
        }. Install it, or ` +
          "register the script with another interpreter";
      const notes = deps.hidden(tool).map((one) => `Note that ${one}.`);
      if (manifest.input_schema === undefined) {
        notes.push(
          "It has no input_schema: if it takes arguments, clients are not told which, and nothing checks them.",
        );
      }
      return okResult([`Registered ${name} ${version} (${kind}). ${warning ?? text}`, ...notes].join(" "), {
        name,
        version,
        interpreter: tool.manifest.interpreter,
        entry_file: tool.manifest.entry_file,
        call,
        ...(warning === undefined ? {} : { warning }),
      });
    },
  };
}
