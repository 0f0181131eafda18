/** Options of {@linkcode wait}. */
export interface WaitOptions {
  /** Ends the wait early by rejecting with its reason. */
  signal?: AbortSignal;
  /** Ends the wait early, without an error, when it settles. */
  until?: Promise<unknown>;
}

/**
 * Resolves after `ms` milliseconds; the timer never outlives the promise.
 *
 * @throws the signal's reason when it aborts.
 */
export function wait(ms: number, { signal, until }: WaitOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve();
    };
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
    until?.then(done, done);
  });
}
