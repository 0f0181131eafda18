import type { Activity } from "./trim_memory.ts";

/** Options of {@linkcode atQuiet}. */
export interface AtQuietOptions {
  /**
   * How long after the start is looked for a quiet moment, and between two looks, in milliseconds.
   * @default 2_000
   */
  readonly afterMs?: number;
  /**
   * Time until the work is done again, in milliseconds.
   * @default 86_400_000
   */
  readonly everyMs?: number;
}

/**
 * Does what must keep no client waiting: once after the start, then each day, at a moment without calls. Disposing it
 * ends the work under way.
 */
export function atQuiet(
  activity: Pick<Activity, "count">,
  work: (signal: AbortSignal) => Promise<void>,
  { afterMs = 2_000, everyMs = 86_400_000 }: AtQuietOptions = {},
): AsyncDisposable {
  const closing = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let working = Promise.resolve();
  const look = () => {
    if (activity.count > 0) return schedule(afterMs);
    working = work(closing.signal).finally(() => schedule(everyMs));
  };
  const schedule = (ms: number) => {
    if (closing.signal.aborted) return;
    timer = setTimeout(look, ms);
    Deno.unrefTimer(timer);
  };
  schedule(afterMs);
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
