import { errorText, SkillzError } from "../../base/errors.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import { errorResult, type ToolResult } from "../../base/tool_result.ts";
import type { Tool } from "../../tools/tool.ts";
import type { CallContext } from "../call_context.ts";
import { Progress } from "../progress.ts";
import type { CallTool, Runner } from "../runner.ts";
import { PipelineRun } from "./_pipeline_run.ts";
import { pipelineResult } from "./_report.ts";
import { RunScope } from "./_run_scope.ts";
import { notRun, type StepRecord } from "./_step_record.ts";
import { stepNames } from "./_step_names.ts";
import type { GetTool } from "./known_tool.ts";
import { pipelineProblems } from "./pipeline_problems.ts";
import { resolveArguments } from "./resolve.ts";

/** What {@linkcode createPipelineRunner} needs. */
export interface PipelineRunnerDeps {
  /** Calls the steps' tools, with all checks. */
  readonly callTool: CallTool;
  /** Finds any tool, to see before the first step whether the last one can run. */
  readonly getTool: GetTool;
}

/** Runs pipelines: one step after the other, each with the values of those before. */
export function createPipelineRunner(deps: PipelineRunnerDeps): Runner {
  return {
    async run(tool, request, ctx) {
      if (request.kind !== "tool") {
        throw new SkillzError(
          "invalid_input",
          `Cannot ask pipeline "${tool.name}" for a ${request.kind}: it has none`,
        );
      }
      const problems = pipelineProblems(tool, deps.getTool);
      if (problems.length > 0) return brokenResult(tool.name, problems);
      return await runSteps(tool, request.arguments, { ...deps, ctx });
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function runSteps(
  tool: Tool,
  input: JsonObject,
  { callTool, ctx }: { callTool: CallTool; ctx: CallContext },
): Promise<ToolResult> {
  const { pipeline_steps: steps = [], output } = tool.manifest;
  const started = performance.now();
  const names = stepNames(steps);
  const progress = new Progress((update) => ctx.caller.progress(update));
  const run = new PipelineRun({ name: tool.name, names, callTool, ctx, progress });
  const scope = new RunScope([["input", { value: input, optional: true }]]);
  const records: StepRecord[] = [];
  let last: JsonValue = null;
  let error: string | undefined;
  for (const [i, step] of steps.entries()) {
    const name = names.get(step) ?? "";
    if (error !== undefined) {
      records.push(notRun(step, { name, status: "not_run" }));
      continue;
    }
    progress.own({ progress: i, total: steps.length, message: `Step ${i + 1} of ${steps.length}: ${name}` });
    const record = await run.step(step, scope, ctx.signal);
    records.push(record);
    if (record.status === "skipped") continue;
    scope.set("prev", record.value);
    last = record.value.value ?? null;
    const goesOn = record.status === "ok" || (record.status === "failed" && step.continue_on_error === true);
    if (!goesOn) error = `step ${i + 1} (${name}): ${record.error}`;
  }
  let result = last;
  if (error === undefined && output !== undefined) {
    try {
      result = resolveArguments(output, scope) ?? null;
    } catch (thrown) {
      error = `output: ${errorText(thrown)}`;
    }
  }
  if (error === undefined) {
    progress.own({ progress: steps.length, total: steps.length, message: "All steps are done" });
  }
  return pipelineResult({
    name: tool.name,
    records,
    durationMs: performance.now() - started,
    output: error === undefined ? result : null,
    isLastValue: output === undefined,
    ...(error === undefined ? {} : { error }),
    lastResult: run.lastResult,
  });
}

function brokenResult(name: string, problems: readonly string[]): ToolResult {
  const text = `Cannot run pipeline "${name}": it is broken, nothing was run\n${
    problems.map((problem) => `- ${problem}`).join("\n")
  }\nRestore the tools that it uses, or create it anew with overwrite`;
  return errorResult(text, { success: false, output: null, error: text, steps: [], problems: [...problems] });
}
