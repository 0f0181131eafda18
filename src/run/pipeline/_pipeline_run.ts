import { raceAbort, withTimeout } from "../../base/abort.ts";
import { errorText, SkillzError } from "../../base/errors.ts";
import { isJsonObject, type JsonObject, jsonTypeOf } from "../../base/json.ts";
import { resultText, type ToolResult } from "../../base/tool_result.ts";
import { wait } from "../../base/wait.ts";
import type { PipelineStep } from "../../tools/tool.ts";
import type { CallContext } from "../call_context.ts";
import { childContext } from "../child_context.ts";
import type { Progress } from "../progress.ts";
import type { CallTool } from "../runner.ts";
import { AbortGroup } from "./_abort_group.ts";
import { mapConcurrent } from "./_map_concurrent.ts";
import type { RunScope } from "./_run_scope.ts";
import { notRun, type StepRecord } from "./_step_record.ts";
import { parseCondition } from "./condition.ts";
import { lookUp, resolveArguments, type Scope } from "./resolve.ts";
import { type StepValue, stepValue } from "./step_value.ts";

const FOR_EACH_CONCURRENCY = 8;
const FOR_EACH_ITEMS = 1000;
/** Calls of one run: nested loops multiply. */
const MAX_CALLS = 10_000;

/** What a run of a pipeline needs. */
export interface RunOptions {
  /** The pipeline's own name. */
  readonly name: string;
  /** The name of each step. */
  readonly names: ReadonlyMap<PipelineStep, string>;
  /** Calls the steps' tools. */
  readonly callTool: CallTool;
  /** The call of the pipeline itself. */
  readonly ctx: CallContext;
  /** Progress of the whole run. */
  readonly progress: Progress;
}

/** How one try of a step, or one item of a loop, went. */
type Outcome = Pick<StepRecord, "status" | "value" | "error" | "attempts" | "items" | "steps"> & {
  /** What the tool answered, for blocks that are no text. */
  readonly result?: ToolResult;
};

/** One run: does steps and keeps what they gave in scopes. A step's failure is a record, never an exception. */
export class PipelineRun {
  readonly #options: RunOptions;
  /** What the tool of the step that ended last answered; nothing after a loop or a group. */
  lastResult: ToolResult | undefined;
  #calls = 0;

  /** Nothing runs before the first {@linkcode step}. */
  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** Runs a step and puts its value, and those of steps inside it, into `scope`. */
  async step(step: PipelineStep, scope: RunScope, signal: AbortSignal): Promise<StepRecord> {
    const name = this.#options.names.get(step) ?? "";
    const started = performance.now();
    const outcome = await this.#limited(step, scope, signal);
    if (outcome === "skipped") {
      const record = notRun(step, { name, status: "skipped" });
      scope.set(name, record.value);
      step.parallel?.forEach((inner) => scope.set(this.#options.names.get(inner) ?? "", record.value));
      return record;
    }
    const { result, ...rest } = outcome;
    this.lastResult = result;
    scope.set(name, outcome.value);
    return {
      name,
      ...(step.tool === undefined ? {} : { tool: step.tool }),
      durationMs: performance.now() - started,
      ...rest,
    };
  }

  /** The step within its own time limit. */
  async #limited(step: PipelineStep, scope: RunScope, signal: AbortSignal): Promise<Outcome | "skipped"> {
    const ms = step.timeout_ms;
    try {
      if (ms === undefined) return await this.#conditional(step, scope, signal);
      using limit = withTimeout(signal, { ms, what: `finish step "${this.#options.names.get(step)}"` });
      return await this.#conditional(step, scope, limit.signal);
    } catch (error) {
      return thrown(error, signal);
    }
  }

  async #conditional(step: PipelineStep, scope: RunScope, signal: AbortSignal): Promise<Outcome | "skipped"> {
    signal.throwIfAborted();
    const condition = step.condition === undefined ? undefined : parseCondition(step.condition);
    const perItem = step.for_each !== undefined &&
      condition?.references.some(({ name }) => name === "item" || name === "index");
    const holds = (at: Scope) => condition?.holds((reference) => lookUp(reference, at)) ?? true;
    if (!perItem && !holds(scope)) return "skipped";
    if (step.for_each === undefined) return await this.#retried(step, scope, signal);
    return await this.#loop(step, scope, { signal, holds: perItem ? holds : () => true });
  }

  async #loop(
    step: PipelineStep,
    scope: RunScope,
    { signal, holds }: { signal: AbortSignal; holds: (at: Scope) => boolean },
  ): Promise<Outcome> {
    const list = resolveArguments(step.for_each, scope);
    if (!Array.isArray(list)) {
      throw new SkillzError(
        "invalid_input",
        `Cannot loop over ${step.for_each}: it is ${
          list === undefined ? "absent" : jsonTypeOf(list)
        }, a list is needed`,
      );
    }
    if (list.length > FOR_EACH_ITEMS) {
      throw new SkillzError(
        "limit",
        `Cannot loop over ${step.for_each}: it has ${list.length} items, at most ${FOR_EACH_ITEMS} are allowed`,
      );
    }
    const group = new AbortGroup(signal);
    const failures: string[] = [];
    const outcomes = await group.during(() =>
      mapConcurrent(list, async (item, index) => {
        const inner = scope.with({ item, index });
        const outcome = await this.#item(step, inner, { signal: group.signal, holds });
        if (outcome.status === "failed") {
          failures.push(`item ${index}: ${outcome.error}`);
          if (!step.continue_on_error) group.abort(`item ${index} failed`);
        }
        this.#options.progress.nested({
          progress: index,
          message: `${this.#options.names.get(step)}: item ${index}`,
        });
        return outcome;
      }, { concurrency: FOR_EACH_CONCURRENCY, signal: group.signal })
    );
    const value = { value: outcomes.map((outcome) => outcome?.value.value ?? null) };
    const items = list.length;
    signal.throwIfAborted();
    if (failures.length === 0) return { status: "ok", value, items };
    const error = failures.length === 1
      ? `${failures[0]}`
      : `${failures.length} of ${items} items failed, the first was ${failures[0]}`;
    return { status: "failed", value, items, error };
  }

  async #item(
    step: PipelineStep,
    scope: RunScope,
    { signal, holds }: { signal: AbortSignal; holds: (at: Scope) => boolean },
  ): Promise<Outcome> {
    try {
      if (!holds(scope)) return { status: "skipped", value: { value: undefined } };
      return await this.#retried(step, scope, signal);
    } catch (error) {
      return thrown(error, signal);
    }
  }

  async #retried(step: PipelineStep, scope: RunScope, signal: AbortSignal): Promise<Outcome> {
    const { max = 0, delay_ms = 0 } = step.retry ?? {};
    for (let attempts = 1;; attempts++) {
      const outcome = step.parallel
        ? await this.#group(step.parallel, scope, signal)
        : await this.#call(step, scope, signal);
      signal.throwIfAborted();
      if (outcome.status === "ok" || attempts > max) return { ...outcome, attempts };
      await wait(delay_ms, { signal });
    }
  }

  async #group(steps: readonly PipelineStep[], scope: RunScope, signal: AbortSignal): Promise<Outcome> {
    const group = new AbortGroup(signal);
    const records = await group.during(() =>
      Promise.all(steps.map(async (step) => {
        // Each sees what was there before: none of those that run at the same time.
        const record = await this.step(step, scope.with({}), group.signal);
        if (record.status === "failed" && !step.continue_on_error) {
          group.abort(`step "${record.name}" failed`);
        }
        return record;
      }))
    );
    for (const record of records) publish(record, scope);
    const value = {
      value: Object.fromEntries(
        records.map((record) => [record.name, record.value.value ?? null]),
      ) as JsonObject,
    };
    const failed = records.find((record, i) => record.status === "failed" && !steps[i]?.continue_on_error);
    if (!failed) return { status: "ok", value, steps: records };
    return { status: "failed", value, steps: records, error: `step "${failed.name}": ${failed.error}` };
  }

  async #call(step: PipelineStep, scope: RunScope, signal: AbortSignal): Promise<Outcome> {
    const { name, callTool, ctx, progress } = this.#options;
    const args = resolveArguments(step.args, scope) ?? {};
    if (!isJsonObject(args)) return failure(`args is ${jsonTypeOf(args)}, it must be an object`);
    if (++this.#calls > MAX_CALLS) {
      return failure(`the pipeline has made ${MAX_CALLS} calls, no more are allowed`);
    }
    try {
      const inner = childContext(ctx, { tool: name, progress, signal });
      const result = await raceAbort(callTool(step.tool ?? "", args, inner), signal);
      if (result.isError !== true) return { status: "ok", value: stepValue(result), result };
      const error = resultText(result) || `tool "${step.tool}" failed without saying why`;
      return { ...failure(error), value: failedValue(error, result), result };
    } catch (error) {
      signal.throwIfAborted();
      return failure(errorText(error));
    }
  }
}

/** Makes the values of steps inside a group visible to later ones. */
function publish(record: StepRecord, scope: RunScope): void {
  scope.set(record.name, record.value);
  record.steps?.forEach((inner) => publish(inner, scope));
}

/** The outcome of whatever was thrown; cancelled, when the whole work was. */
function thrown(error: unknown, signal: AbortSignal): Outcome {
  if (!signal.aborted) return failure(errorText(error));
  const text = signal.reason instanceof SkillzError ? errorText(signal.reason) : "the call was cancelled";
  return { ...failure(text), status: "cancelled" };
}

function failure(error: string): Outcome {
  return { status: "failed", error, value: failedValue(error) };
}

/** What references find in a step that failed: its data if it gave some, and `error` as text. */
function failedValue(error: string, result?: ToolResult): StepValue {
  const data = result?.structuredContent ?? {};
  return {
    value: { ...data, error },
    ...(result ? { content: stepValue(result).content ?? null } : {}),
    optional: true,
  };
}
