import type { PipelineStep } from "../../tools/tool.ts";
import { toolNames } from "./derive_annotations.ts";
import type { GetTool } from "./known_tool.ts";

/** The way round (`a → b → a`) if a pipeline would, over other pipelines, come back to itself or into a circle. */
export function findCycle(
  pipeline: { readonly name: string; readonly steps: readonly PipelineStep[] },
  getTool: GetTool,
): string | undefined {
  const done = new Set<string>();
  const visit = (
    name: string,
    steps: readonly PipelineStep[],
    above: readonly string[],
  ): string | undefined => {
    const chain = [...above, name];
    for (const next of toolNames(steps)) {
      if (chain.includes(next)) return [...chain.slice(chain.indexOf(next)), next].join(" → ");
      if (done.has(next)) continue;
      const inner = getTool(next)?.pipeline_steps;
      const found = inner && visit(next, inner, chain);
      if (found) return found;
    }
    done.add(name);
    return undefined;
  };
  return visit(pipeline.name, pipeline.steps, []);
}
