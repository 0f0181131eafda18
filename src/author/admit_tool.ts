import { SkillzError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { resultText, type ToolResult } from "../base/tool_result.ts";
import type { CallContext } from "../run/call_context.ts";
import { deriveCaller } from "../run/child_context.ts";
import type { Tool, ToolExample } from "../tools/tool.ts";

/** One thing that must hold before a tool takes its place; throws `SkillzError` when it does not. */
export type AdmissionCheck = (staged: Tool, ctx: CallContext) => Promise<void>;

/** What {@linkcode admitTool} needs. */
export interface AdmitDeps {
  /** Policy, dependencies, module graph …: in this order, each only when all before it passed. */
  readonly checks: readonly AdmissionCheck[];
  /** Runs exactly this tool, also one that is not in the registry yet. */
  runTool(tool: Tool, args: JsonObject, ctx: CallContext): Promise<ToolResult>;
  /** What an example's result lacks, in words; empty when it is as expected. */
  matchExample(result: ToolResult, expect: ToolExample["expect"]): string[];
}

/**
 * Decides whether a staged tool may take its place: every check passes and every example answers as it says.
 * The store calls this before it commits, so that a refused version changes nothing.
 */
export async function admitTool(staged: Tool, deps: AdmitDeps, ctx: CallContext): Promise<void> {
  for (const check of deps.checks) {
    ctx.signal.throwIfAborted();
    await check(staged, ctx);
  }
  for (const [index, example] of staged.manifest.examples.entries()) {
    ctx.signal.throwIfAborted();
    await checkExample(staged, example, { deps, ctx, label: example.name ?? `#${index + 1}` });
  }
}

interface ExampleRun {
  deps: AdmitDeps;
  ctx: CallContext;
  label: string;
}

async function checkExample(tool: Tool, example: ToolExample, run: ExampleRun): Promise<void> {
  // What an example tells on its way is of no use to who registers; what went wrong is in its result.
  const caller = deriveCaller(run.ctx.caller, { log: () => {}, progress: () => {} });
  const result = await run.deps.runTool(tool, example.arguments, { ...run.ctx, caller });
  const faults = run.deps.matchExample(result, example.expect);
  if (!faults.length) return;
  const text = resultText(result);
  throw new SkillzError(
    "failed",
    `Cannot save "${tool.name}" ${tool.manifest.version}: example ${run.label} did not answer as it says: ${
      faults.join("; ")
    }`,
    { hint: `It answered: ${text.length > 1000 ? `${text.slice(0, 1000)}…` : text}` },
  );
}
