/** Options of {@linkcode waitFor}. */
export interface WaitForOptions {
  /**
   * Time after which the wait fails, in milliseconds.
   * @default 15_000
   */
  timeoutMs?: number;
  /**
   * Pause between two looks, in milliseconds.
   * @default 20
   */
  intervalMs?: number;
  /** What is waited for, for the message of the failure. */
  what?: string;
  /** Ends the wait early. */
  signal?: AbortSignal;
}

/** Waits until the condition gives something truthy and returns that; throws when it does not in time. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitForOptions = {},
): Promise<T> {
  const { timeoutMs = 15_000, intervalMs = 20, what = condition.toString(), signal } = options;
  const end = performance.now() + timeoutMs;
  while (true) {
    signal?.throwIfAborted();
    const value = await condition();
    if (value) return value;
    if (performance.now() >= end) {
      throw new Error(`Cannot go on: still waiting after ${timeoutMs} ms for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
