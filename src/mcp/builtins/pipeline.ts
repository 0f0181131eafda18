import { z } from "zod";
import type { CreatePipelineDeps } from "../../author/create_pipeline.ts";
import { SkillzError } from "../../base/errors.ts";
import { loadLate } from "../../base/load_late.ts";
import { type JsonValue, toJsonObject } from "../../base/json.ts";
import { okResult, type ToolResult } from "../../base/tool_result.ts";
import type { CallContext } from "../../run/call_context.ts";
import type { CallTool } from "../../run/runner.ts";
import { manifestSchema } from "../../tools/manifest_schema.ts";
import type { PipelineStep, Tool } from "../../tools/tool.ts";
import type { Builtin } from "../builtin.ts";
import { briefly } from "./briefly.ts";
import { howToCallNow } from "./how_to_call.ts";

/** What {@linkcode createPipelineTool} needs. */
export interface PipelineToolDeps extends CreatePipelineDeps {
  /** All made tools, in stable order. */
  tools(): readonly Tool[];
  /** Removes a tool. */
  remove(name: string): Promise<void>;
  /** Runs a pipeline. */
  readonly callTool: CallTool;
  /** What keeps a pipeline from working now, one line each. */
  problems(tool: Tool): readonly string[];
}

const field = manifestSchema.shape;
const json: z.ZodType<JsonValue> = z.json();

const input = z.strictObject({
  action: z.enum(["create", "list", "delete", "show", "run"]),
  name: z.string().optional(),
  description: field.description.min(1).optional().describe("What it does and when to use it"),
  steps: field.pipeline_steps.optional().describe(
    "Each {name?, tool, args, condition?, for_each?, retry?, timeout_ms?, continue_on_error?} or {parallel: [steps]}; " +
      "args refer to $input.x, $prev, $step.field, also inside text",
  ),
  input_schema: json.optional().describe("JSON Schema of $input"),
  output: json.optional().describe("Which value is the result; default: the last step's"),
  tags: field.tags,
  tag: z.string().optional().describe("For list: only those with this tag"),
  arguments: z.record(z.string(), json).optional().describe("For run: its $input"),
  examples: field.examples,
  limits: field.limits,
  title: field.title,
  core: field.core,
  version: z.string().optional().describe("semver; raised by itself when absent"),
  overwrite: z.boolean().default(false).describe(
    "Replace the pipeline of that name; the old state is kept as a version",
  ),
});

type Input = z.output<typeof input>;

/** Most pipelines that `list` tells. */
const MOST_LISTED = 100;

const output = z.looseObject({ success: z.boolean() });

/** `pipeline`: joins tools to chains that are tools themselves. */
export function createPipelineTool(deps: PipelineToolDeps): Builtin<typeof input> {
  return {
    name: "pipeline",
    title: "Pipelines",
    description:
      "Join tools to a chain that is a tool itself: create, list, show, run, delete. Steps hand values on, e.g. " +
      '{"tool": "word_counter", "args": {"text": "NY: $ny.datetime"}}.',
    skill: "sys",
    input,
    output,
    annotations: { destructiveHint: true, openWorldHint: true },
    run: async (args, ctx) => await ACTIONS[args.action](args, deps, ctx),
  };
}

type Action = (args: Input, deps: PipelineToolDeps, ctx: CallContext) => Promise<ToolResult> | ToolResult;

const ACTIONS: Readonly<Record<Input["action"], Action>> = {
  async create(args, deps, ctx) {
    const { action: _action, tag: _tag, arguments: _arguments, overwrite, output, ...given } = args;
    const { name: _name, steps: _steps, input_schema, ...manifest } = given;
    const { createPipeline } = await loadLate<typeof import("../../author/create_pipeline.ts")>(
      new URL("../../author/create_pipeline.ts", import.meta.url),
    );
    const tool = await createPipeline(
      {
        name: needed(args, "name"),
        steps: needed(args, "steps") as PipelineStep[],
        overwrite,
        ...(output === undefined ? {} : { output }),
        ...(input_schema === undefined ? {} : { input_schema }),
        manifest: { ...toJsonObject(manifest), description: needed(args, "description") },
      },
      deps,
      ctx,
    );
    const { version, annotations } = tool.manifest;
    const { text, call } = await howToCallNow(tool);
    return okResult(`Created pipeline ${tool.name} ${version}. ${text}`, {
      success: true,
      name: tool.name,
      version,
      annotations: { ...annotations },
      call,
    });
  },
  list({ tag }, deps) {
    const all = deps.tools().filter(isPipeline)
      .filter(({ manifest }) => tag === undefined || manifest.tags.includes(tag));
    const rows = all.slice(0, MOST_LISTED).map((tool) => ({ tool, problems: deps.problems(tool) }));
    const lines = rows.map(({ tool: { name, manifest }, problems }) => {
      const steps = manifest.pipeline_steps?.length ?? 0;
      const broken = problems.length > 0 ? ` [broken: ${problems.join("; ")}]` : "";
      return `- ${name} ${manifest.version}, ${steps} ${steps === 1 ? "step" : "steps"}: ${
        briefly(manifest.description)
      }${broken}`;
    });
    if (all.length > MOST_LISTED) {
      lines.push(
        `- and ${all.length - MOST_LISTED} more: list_tools {"type": "pipeline"} has them all, in pages`,
      );
    }
    const none = tag === undefined ? "No pipelines have been made yet" : `No pipeline has the tag "${tag}"`;
    return okResult(lines.length > 0 ? lines.join("\n") : none, {
      success: true,
      pipelines: rows.map(({ tool: { name, manifest }, problems }) => ({
        name,
        version: manifest.version,
        description: briefly(manifest.description),
        steps: manifest.pipeline_steps?.length ?? 0,
        tags: [...manifest.tags],
        ...(problems.length > 0 ? { broken: [...problems] } : {}),
      })),
    });
  },
  async delete(args, deps) {
    const { name } = pipelineOf(args, deps);
    await deps.remove(name);
    return okResult(`Deleted pipeline ${name} with all its versions`, { success: true, name });
  },
  show(args, deps) {
    const tool = pipelineOf(args, deps);
    const { version, description, pipeline_steps, output, input_schema, annotations, tags, examples } =
      tool.manifest;
    const problems = deps.problems(tool);
    const shown = toJsonObject({
      name: tool.name,
      version,
      description,
      input_schema,
      steps: pipeline_steps,
      output,
      annotations,
      tags,
      examples,
      ...(problems.length > 0 ? { broken: problems } : {}),
    });
    return okResult(JSON.stringify(shown, null, 2), { success: true, ...shown });
  },
  async run(args, deps, ctx) {
    const { name } = pipelineOf(args, deps);
    return await deps.callTool(name, args.arguments ?? {}, ctx);
  },
};

function isPipeline({ manifest }: Tool): boolean {
  return manifest.tool_type === "pipeline";
}

function pipelineOf(args: Input, deps: PipelineToolDeps): Tool {
  const name = needed(args, "name");
  const tool = deps.store.get(name);
  if (tool && isPipeline(tool)) return tool;
  const state = tool ? `it is a ${tool.manifest.tool_type} tool` : "there is none of that name";
  const names = deps.tools().filter(isPipeline).map((one) => one.name);
  throw new SkillzError("not_found", `Cannot ${args.action} pipeline "${name}": ${state}`, {
    hint: names.length > 0
      ? `Pipelines are ${names.slice(0, 20).join(", ")}`
      : "No pipelines have been made yet",
  });
}

function needed<K extends "name" | "steps" | "description">(args: Input, key: K): NonNullable<Input[K]> {
  const value = args[key];
  if (value !== undefined) return value as NonNullable<Input[K]>;
  throw new SkillzError(
    "invalid_input",
    `Cannot ${args.action} a pipeline: ${key} is missing, pipeline ${args.action} needs it`,
  );
}
