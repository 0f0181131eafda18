import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What tells whether the server has something to do. */
export interface Activity {
  /** Calls that run now. */
  readonly count: number;
  /** Calls that there have been. */
  readonly total: number;
}

/** Options of {@linkcode trimMemory}. */
export interface TrimOptions {
  /**
   * Time between two looks, in milliseconds.
   * @default 300
   */
  readonly everyMs?: number;
  /**
   * Calls after which it is worth to collect again.
   * @default 500
   */
  readonly afterCalls?: number;
  /**
   * Collects garbage.
   * @default the engine's own collector
   */
  readonly collect?: () => void;
}

/**
 * Gives back what only the start needed (10 MB of 85), and later what many calls left behind. The engine collects only
 * when something is allocated, and lets a heap of 17 MB grow to 90 before it looks for old garbage: an idle server
 * would keep that for ever. Takes 25 ms, at a moment without calls. Disposing it ends it.
 */
export function trimMemory(activity: Activity, options: TrimOptions = {}): Disposable {
  const { everyMs = 300, afterCalls = 500, collect = collectGarbage } = options;
  let due = 0;
  const timer = setInterval(() => {
    if (activity.count > 0 || activity.total < due) return;
    due = activity.total + afterCalls;
    collect();
  }, everyMs);
  Deno.unrefTimer(timer);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The collector can only be had by a flag; contexts that were there before do not see it, so code can't call it. */
function collectGarbage(): void {
  try {
    setFlagsFromString("--expose-gc");
    runInNewContext("gc()");
  } catch {
    // An engine without the flag collects when it likes.
  }
}
