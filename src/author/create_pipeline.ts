import { SkillzError } from "../base/errors.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { CallContext } from "../run/call_context.ts";
import { checkPipeline } from "../run/pipeline/check_pipeline.ts";
import { deriveAnnotations } from "../run/pipeline/derive_annotations.ts";
import { deriveInputSchema } from "../run/pipeline/derive_input_schema.ts";
import type { GetTool } from "../run/pipeline/known_tool.ts";
import { checkKind } from "../tools/check_kind.ts";
import { normaliseInputSchema } from "../tools/schema.ts";
import type { PipelineStep, Tool } from "../tools/tool.ts";
import type { ToolStore } from "../tools/tool_store.ts";

/** A pipeline to be made a tool; the other manifest fields are validated by the store. */
export interface CreatePipelineInput {
  /** Name of the tool. */
  name: string;
  /** What it does, in order. */
  steps: readonly PipelineStep[];
  /** Which value is the result; the last step's when absent. */
  output?: JsonValue;
  /** What `$input` may hold, in any form that manifests allow; what the steps refer to when absent. */
  input_schema?: JsonValue;
  /** Replace a pipeline of that name. */
  overwrite: boolean;
  /** More fields of manifest.json: description, tags, examples, limits, … */
  manifest: JsonObject;
}

/** What {@linkcode createPipeline} needs. */
export interface CreatePipelineDeps {
  /** Where tools are kept. */
  store: Pick<ToolStore, "get" | "save">;
  /** Throws `invalid_input` for a name that breaks the rules or is taken by something that is not a made tool. */
  checkName(name: string): void;
  /** Finds the tools that steps use. */
  getTool: GetTool;
  /** Checks and examples, see `author/admit_tool.ts`. */
  admit(staged: Tool, ctx: CallContext): Promise<void>;
}

/** Time of a pipeline whose maker names none: its steps have limits of their own. */
const TIMEOUT_MS = 600_000;

/**
 * Saves a pipeline as a tool. Everything that can be known to be wrong is told at once, and nothing is saved then.
 *
 * Throws `invalid_input` with the list of problems, `conflict` for a used name, `failed` for a bad example.
 */
export async function createPipeline(
  input: CreatePipelineInput,
  deps: CreatePipelineDeps,
  ctx: CallContext,
): Promise<Tool> {
  const { name, steps, output, overwrite, manifest } = input;
  deps.checkName(name);
  checkKind(deps.store.get(name), "pipeline");
  const schema = normaliseInputSchema(input.input_schema);
  const problems = schema.fault === undefined
    ? checkPipeline(
      {
        name,
        steps,
        ...(schema.schema === undefined ? {} : { input_schema: schema.schema }),
        ...(output === undefined ? {} : { output }),
      },
      deps.getTool,
    )
    : [`input_schema: ${schema.fault}`];
  if (problems.length > 0) throw unsound(name, problems);
  const given = input.input_schema ??
    deriveInputSchema({ steps, ...(output === undefined ? {} : { output }) }, deps.getTool);
  return await deps.store.save({
    manifest: {
      limits: { timeout_ms: TIMEOUT_MS },
      ...manifest,
      name,
      tool_type: "pipeline",
      pipeline_steps: steps as unknown as JsonValue,
      annotations: { ...deriveAnnotations(steps, deps.getTool) },
      ...(output === undefined ? {} : { output }),
      input_schema: given,
    },
    files: {},
  }, { overwrite, signal: ctx.signal, beforeCommit: (staged) => deps.admit(staged, ctx) });
}

function unsound(name: string, problems: readonly string[]): SkillzError {
  const list = problems.map((problem) => `\n- ${problem}`).join("");
  return new SkillzError(
    "invalid_input",
    `Cannot create pipeline "${name}": ${
      problems.length === 1 ? "one thing is" : `${problems.length} things are`
    } wrong:${list}`,
    { data: { problems: [...problems] } },
  );
}
