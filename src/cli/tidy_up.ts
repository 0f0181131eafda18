import { errorText } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { sweepTempRoots } from "./sweep_temp_roots.ts";

/** What {@linkcode tidyUp} needs. */
export interface TidyUpDeps {
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Clears away what nobody uses any more. What can't be cleared is told and costs nothing else; never throws. */
export async function tidyUp(deps: TidyUpDeps): Promise<void> {
  const { logger, signal } = deps;
  const jobs: Readonly<Record<string, () => Promise<string[]>>> = {
    "temporary folders of servers that were killed": () => sweepTempRoots({ signal }),
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
