import { z } from "zod";
import { toJsonObject } from "../../base/json.ts";
import { okResult } from "../../base/tool_result.ts";
import { registerScript, type RegisterScriptDeps } from "../../author/register_script.ts";
import { manifestSchema } from "../../tools/manifest_schema.ts";
import type { Builtin } from "../builtin.ts";
import { howToCallNow } from "./how_to_call.ts";

const field = manifestSchema.shape;
const schema = z.unknown().optional();

const input = z.strictObject({
  name: field.name,
  description: field.description.min(1),
  code: z.string().describe("Source of the script"),
  interpreter: field.interpreter.describe(
    "Program, perhaps with arguments: python3, deno run, node, ruby, bash …",
  ),
  extension: z.string().regex(/^\.?[A-Za-z0-9]{1,10}$/).optional().describe(
    "File extension, tells the language too",
  ),
  input_schema: schema.describe("JSON Schema of the arguments"),
  output_schema: schema.describe("JSON Schema of the structured result"),
  annotations: field.annotations,
  dependencies: field.dependencies,
  permissions: field.permissions,
  limits: field.limits,
  env: field.env,
  requires_services: field.requires_services,
  requires_skills: field.requires_skills,
  examples: field.examples,
  prompts: field.prompts,
  resources: field.resources,
  resource_templates: field.resource_templates,
  task: field.task,
  icons: field.icons,
  title: field.title,
  lifecycle: field.lifecycle,
  concurrency: field.concurrency,
  tags: field.tags,
  core: field.core,
  version: z.string().optional().describe("semver; raised by itself when absent"),
  overwrite: z.boolean().default(false).describe(
    "Replace the tool of that name; the old state is kept as a version",
  ),
});

const output = z.looseObject({ name: z.string(), version: z.string() });

/** `register_script`: writes a script in any language as a tool that works at once. */
export function createRegisterScriptTool(deps: RegisterScriptDeps): Builtin<typeof input> {
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
      return okResult(`Registered ${name} ${version} (${kind}). ${howToCallNow(tool)}`, {
        name,
        version,
        interpreter: tool.manifest.interpreter,
        entry_file: tool.manifest.entry_file,
        call: {
          tool: "call_tool",
          arguments: { tool_name: name, arguments: tool.manifest.examples[0]?.arguments ?? {} },
        },
      });
    },
  };
}
