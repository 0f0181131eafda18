import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { PipelineStep } from "../../tools/tool.ts";
import type { StepValue } from "./step_value.ts";

/** How a step ended. */
export type StepStatus = "ok" | "failed" | "skipped" | "cancelled" | "not_run";

/** What is told of a step. */
export interface StepRecord {
  /** Its name, or the one that it was given. */
  readonly name: string;
  /** The tool that it calls. */
  readonly tool?: string;
  /** How it ended. */
  readonly status: StepStatus;
  /** How long it took, with all its attempts. */
  readonly durationMs: number;
  /** What references find. */
  readonly value: StepValue;
  /** Why it failed. */
  readonly error?: string;
  /** How often its tool was called, when more than once. */
  readonly attempts?: number;
  /** How many items there were, with `for_each`. */
  readonly items?: number;
  /** The steps inside, with `parallel`. */
  readonly steps?: readonly StepRecord[];
}

/** The record of a step that was never begun. */
export function notRun(step: PipelineStep, as: { name: string; status: "skipped" | "not_run" }): StepRecord {
  return {
    name: as.name,
    ...(step.tool === undefined ? {} : { tool: step.tool }),
    status: as.status,
    durationMs: 0,
    value: { value: undefined },
  };
}

/** A record as it stands in `structuredContent.steps`. */
export function recordJson(record: StepRecord): JsonObject {
  const { name, tool, status, durationMs, value, error, attempts, items, steps } = record;
  const output: JsonValue | undefined = value.value;
  return {
    name,
    ...(tool === undefined ? {} : { tool }),
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    ...(attempts === undefined || attempts < 2 ? {} : { attempts }),
    ...(items === undefined ? {} : { items }),
    ...(steps === undefined ? {} : { steps: steps.map(recordJson) }),
  };
}
