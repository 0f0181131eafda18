/** Options of {@linkcode onTermination}. */
export interface TerminationOptions {
  /**
   * Also end when the process that started this one is gone. A second line for clients that die while somebody else
   * still holds the pipe to our input open.
   * @default false
   */
  watchParent?: boolean;
  /**
   * Pause between two looks at the parent, in milliseconds.
   * @default 3_000
   */
  intervalMs?: number;
}

/** Why the process should end. */
export type TerminationReason = "SIGINT" | "SIGTERM" | "SIGHUP" | "parent";

/**
 * Calls `listener` once, on the first signal that asks the process to end, or when its parent is gone.
 * A second signal ends the process at once, as without us. Returns how to stop listening.
 */
export function onTermination(
  listener: (reason: TerminationReason) => void,
  options: TerminationOptions = {},
): () => void {
  const parent = Deno.ppid;
  let timer: ReturnType<typeof setInterval> | undefined;
  const handlers = signalsOfThisSystem().map((signal) => [signal, () => end(signal)] as const);
  const stop = () => {
    clearInterval(timer);
    for (const [signal, handler] of handlers.splice(0)) Deno.removeSignalListener(signal, handler);
  };
  const end = (reason: TerminationReason) => {
    stop();
    listener(reason);
  };
  for (const [signal, handler] of handlers) Deno.addSignalListener(signal, handler);
  if (options.watchParent) {
    timer = setInterval(() => {
      if (Deno.ppid !== parent) end("parent");
    }, options.intervalMs ?? 3_000);
    Deno.unrefTimer(timer);
  }
  return stop;
}

// Windows knows no SIGTERM and ends processes of a closed console with SIGHUP.
function signalsOfThisSystem(): ("SIGINT" | "SIGTERM" | "SIGHUP")[] {
  return Deno.build.os === "windows" ? ["SIGINT", "SIGHUP"] : ["SIGINT", "SIGTERM", "SIGHUP"];
}
