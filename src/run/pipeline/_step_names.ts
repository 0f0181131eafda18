import type { PipelineStep } from "../../tools/tool.ts";

/**
 * The name of each step, inner ones too: its own, or `step` and its number. Numbers count all steps in the order in
 * which they are written.
 */
export function stepNames(steps: readonly PipelineStep[]): ReadonlyMap<PipelineStep, string> {
  const names = new Map<PipelineStep, string>();
  const visit = (step: PipelineStep): void => {
    names.set(step, step.name ?? `step${names.size + 1}`);
    step.parallel?.forEach(visit);
  };
  steps.forEach(visit);
  return names;
}
