import { errorText } from "../base/errors.ts";
import { loadLate } from "../base/load_late.ts";
import type { Logger } from "../base/log.ts";
import type { Reaper } from "../process/reaper.ts";
import type { StrayCollector } from "../process/spawn.ts";

/** Ends what ended tools left running; loaded when the first tool has ended. */
export function lateStrays(logger: Logger): StrayCollector & AsyncDisposable {
  let made: Promise<Reaper> | undefined;
  return {
    collect(family) {
      made ??= make(logger);
      void made.then((reaper) => reaper.collect(family));
    },
    [Symbol.asyncDispose]: async () => await (await made)?.[Symbol.asyncDispose](),
  };
}

async function make(logger: Logger): Promise<Reaper> {
  const url = new URL("../process/reaper.ts", import.meta.url);
  const { Reaper } = await loadLate<typeof import("../process/reaper.ts")>(url);
  return new Reaper({
    onError: (error) => logger.warn("Cannot end what a tool left running", { reason: errorText(error) }),
  });
}
