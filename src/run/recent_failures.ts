import { resultText } from "../base/tool_result.ts";
import type { RunTool } from "./run_tool.ts";

/** One failed call. */
export interface RecentFailure {
  /** ISO time of its end. */
  readonly at: string;
  /** Version that failed. */
  readonly version: string;
  /** What the caller was told, cut to a thousand characters. */
  readonly text: string;
}

/** The last failures of each tool, for whoever is to mend it. Kept in memory only. */
export interface RecentFailures {
  /** Runs tools and remembers those calls that fail. */
  readonly runTool: RunTool;
  /** The latest failures of a tool, newest first. */
  of(name: string): readonly RecentFailure[];
}

const KEPT_PER_TOOL = 5;
const KEPT_TOOLS = 200;

/** Wraps the one way to run a tool. */
export function rememberFailures(runTool: RunTool): RecentFailures {
  const byTool = new Map<string, RecentFailure[]>();
  return {
    of: (name) => byTool.get(name) ?? [],
    async runTool(tool, request, ctx) {
      const result = await runTool(tool, request, ctx);
      if (result.isError !== true) return result;
      const failure = {
        at: new Date().toISOString(),
        version: tool.manifest.version,
        text: resultText(result).slice(0, 1000),
      };
      const kept = [failure, ...byTool.get(tool.name) ?? []].slice(0, KEPT_PER_TOOL);
      byTool.delete(tool.name);
      byTool.set(tool.name, kept);
      const [oldest] = byTool.keys();
      if (byTool.size > KEPT_TOOLS && oldest !== undefined) byTool.delete(oldest);
      return result;
    },
  };
}
