import { z } from "zod";
import { isIsoDate } from "./_calendar.ts";
import { innerPathFault } from "./_inner_path.ts";
import { limitsSchema } from "./limits_schema.ts";
import {
  exampleSchema,
  iconSchema,
  pipelineStepSchema,
  promptSchema,
  resourceSchema,
} from "./_manifest_parts.ts";
import { permissionsSchema, secretNames } from "./permissions_schema.ts";
import { isVersion } from "./version_number.ts";

/** A text with a rule that JSON Schema can't say. */
function text(rule: (value: string) => boolean, message: string) {
  return z.string().refine(rule, { error: message });
}

const words = z.array(z.string().min(1).max(500)).max(500);
const date = text(isIsoDate, "must be an ISO 8601 date that the calendar has, as 2026-02-28T12:00:00Z");
const innerFile = z.string().superRefine((path, ctx) => {
  const fault = innerPathFault(path);
  if (fault !== undefined) ctx.addIssue({ code: "custom", message: `${JSON.stringify(path)} ${fault}` });
});
const jsonSchema = z.record(z.string(), z.unknown());

/**
 * The file manifest.json, field by field; the source of `schemas/manifest.schema.json`. Unknown fields are kept.
 * Names and the schemas of arguments and results are checked by `manifest.ts`, which mends them first.
 */
export const manifestSchema = z.looseObject({
  name: z.string().meta({
    description: "Name of the tool and of its folder",
    pattern: "^[a-zA-Z0-9_-]{1,64}$",
  }),
  title: z.string().max(200).exactOptional().meta({ description: "Title for people" }),
  description: z.string().max(20_000).meta({
    description: "What the tool does and when to use it; models read this",
  }),
  version: text(isVersion, "must be a semantic version, as 1.0.0").default("1.0.0")
    .meta({ description: "Semantic version; raised by the store with each update" }),
  tool_type: z.enum(["script", "wasm", "pipeline", "mcp", "knowledge"]).default("wasm")
    .meta({
      description: "How the tool is run; a file of the older edition that does not say is a wasm tool",
    }),
  entry_file: innerFile.exactOptional()
    .meta({
      description: "Script or .wasm file to run, inside the folder; default: the name with the usual ending",
    }),
  interpreter: text(
    (line) => /\S/.test(line) && !/[\0\n\r]/.test(line),
    "must be a program, perhaps with arguments",
  )
    .exactOptional().meta({
      description: "Program that runs the script, perhaps with arguments: python3 -u",
    }),
  input_schema: jsonSchema.exactOptional()
    .meta({ description: "JSON Schema of the arguments, its root of type object" }),
  output_schema: jsonSchema.exactOptional()
    .meta({ description: "JSON Schema of the structured result, its root of type object" }),
  annotations: z.looseObject({
    title: z.string().exactOptional().meta({ description: "Title for people" }),
    readOnlyHint: z.boolean().exactOptional().meta({ description: "Changes nothing" }),
    destructiveHint: z.boolean().exactOptional().meta({ description: "May destroy" }),
    idempotentHint: z.boolean().exactOptional().meta({ description: "Calling twice is as calling once" }),
    openWorldHint: z.boolean().exactOptional().meta({ description: "Reaches the outside world" }),
  }).exactOptional().meta({ description: "MCP's hints about what the tool does" }),
  dependencies: words.default([]).meta({
    description: "Packages of pip, npm or Deno, as the interpreter has it",
  }),
  wasm_dependencies: words.default([]).meta({ description: "Rust crates: serde@1.0[derive]" }),
  permissions: permissionsSchema.exactOptional()
    .meta({ description: "What the tool may do; {} is nothing, absent is the default profile" }),
  limits: limitsSchema.exactOptional().meta({ description: "Bounds of one call" }),
  env: secretNames.exactOptional().meta({
    description: "Names of the SKILLZ_… secrets it gets; absent: all",
  }),
  requires_services: words.default([]).meta({ description: "Services that must run" }),
  requires_skills: words.default([]).meta({ description: "Skills that are activated with it" }),
  core: z.boolean().default(false).meta({ description: "Listed from the start, without activation" }),
  tags: words.default([]).meta({ description: "Words to find it by" }),
  examples: z.array(exampleSchema).max(100).default([])
    .meta({ description: "Calls that show its use, run at registration and by check-tools --run" }),
  lifecycle: z.enum(["fresh", "persistent"]).default("fresh")
    .meta({ description: "A process for each call, or one that serves many" }),
  concurrency: z.int().min(1).max(256).default(1)
    .meta({ description: "Calls that one persistent process serves at once" }),
  prompts: z.array(promptSchema).max(200).default([]).meta({
    description: "Prompts that the script answers",
  }),
  resources: z.array(resourceSchema("uri")).max(1000).default([])
    .meta({ description: "Resources of the tool, read through its script or from a file" }),
  resource_templates: z.array(resourceSchema("uri_template")).max(200).default([])
    .meta({ description: "The same with RFC 6570 templates" }),
  task: z.enum(["none", "optional", "required"]).default("none")
    .meta({ description: "Whether it may or must run as an MCP task" }),
  icons: z.array(iconSchema).max(20).exactOptional().meta({ description: "Icons, as in MCP" }),
  pipeline_steps: z.array(pipelineStepSchema).max(1000).exactOptional().meta({
    description: "Pipeline: its steps",
  }),
  output: z.unknown().exactOptional().meta({ description: "Pipeline: which value is the result" }),
  mcp_server: z.strictObject({
    command: z.string().min(1).exactOptional().meta({ description: "Program of a server over stdio" }),
    args: z.array(z.string()).exactOptional().meta({ description: "Its arguments" }),
    env: z.record(z.string(), z.string()).exactOptional().meta({ description: "Variables for it alone" }),
    url: text((url) => /^https?:/i.test(url) && URL.canParse(url), "must be an http or https URL")
      .exactOptional()
      .meta({ description: "Address of a server over HTTP" }),
    headers: z.record(z.string(), z.string()).exactOptional().meta({ description: "Headers for it" }),
  }).exactOptional().meta({ description: "Imported MCP server: command or url" }),
  author: z.string().exactOptional().meta({ description: "Who made it" }),
  license: z.string().exactOptional().meta({ description: "Its license, as an SPDX name" }),
  repository: z.string().exactOptional().meta({ description: "Where its source is kept" }),
  created_at: date.exactOptional().meta({ description: "When it was made (ISO 8601)", format: "date-time" }),
  updated_at: date.exactOptional().meta({
    description: "When this version was made (ISO 8601)",
    format: "date-time",
  }),
  disabled: z.boolean().default(false).meta({ description: "Kept, but neither listed nor called" }),
});
