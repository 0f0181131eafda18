import { join } from "node:path";
import { errorText } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { loadLate } from "../base/load_late.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolStore } from "../tools/tool_store.ts";
import { sweepTempRoots } from "./sweep_temp_roots.ts";

/** What {@linkcode tidyUp} needs. */
export interface TidyUpDeps {
  /** Where environments and builds are kept. */
  readonly toolsDir: string;
  /** Knows what refers to them. */
  readonly store: Pick<ToolStore, "list" | "earlier">;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Clears away what nobody uses any more. What can't be cleared is told and costs nothing else; never throws. */
export async function tidyUp(deps: TidyUpDeps): Promise<void> {
  const { logger, signal, toolsDir } = deps;
  const jobs: Readonly<Record<string, () => Promise<string[]>>> = {
    "temporary folders of servers that were killed": () => sweepTempRoots({ signal }),
    "environments that no tool needs": async () => {
      if (!(await isThere(join(toolsDir, ".envs")))) return [];
      const url = new URL("../install/collect_environments.ts", import.meta.url);
      const { collectEnvironments } = await loadLate<typeof import("../install/collect_environments.ts")>(
        url,
      );
      return await collectEnvironments(toolsDir, () => states(deps.store), { signal });
    },
    "what cargo has compiled": async () => {
      if (!(await isThere(join(toolsDir, ".cache", "rust")))) return [];
      const url = new URL("../author/rust/bound_target.ts", import.meta.url);
      const { boundTarget } = await loadLate<typeof import("../author/rust/bound_target.ts")>(url);
      return await boundTarget(toolsDir, { signal });
    },
  };
  for (const [what, job] of Object.entries(jobs)) {
    if (signal.aborted) return;
    try {
      const removed = await job();
      if (removed.length > 0) logger.debug("Cleared away", { what, removed: removed.join(", ") });
    } catch (error) {
      if (!signal.aborted) logger.warn("Cannot clear away what is left", { what, reason: errorText(error) });
    }
  }
}

/** Every tool in every state that is kept. */
async function* states(store: TidyUpDeps["store"]): AsyncIterable<Tool> {
  for (const tool of store.list()) {
    yield tool;
    // One that was removed meanwhile has no states any more.
    yield* await store.earlier(tool.name).catch(() => []);
  }
}

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
