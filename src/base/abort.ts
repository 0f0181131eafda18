import { SkillzError } from "./errors.ts";

/** A signal that lasts as long as its scope: disposing it drops timer and listeners. */
export interface ScopedSignal extends Disposable {
  /** Aborts as its maker says. */
  readonly signal: AbortSignal;
}

/** What {@linkcode withTimeout} bounds. */
export interface TimeoutOptions {
  /** The limit. */
  ms: number;
  /** What is bounded, after "Cannot": `run "git"`, `answer the call`. */
  what: string;
}

/**
 * A signal that aborts with `parent` (and its reason), or after `ms` with a `timeout` error that names the limit.
 *
 * ```ts
 * import { withTimeout } from "./abort.ts";
 * using limit = withTimeout(undefined, { ms: 5000, what: "reach the engine" });
 * limit.signal.throwIfAborted();
 * ```
 */
export function withTimeout(parent: AbortSignal | undefined, { ms, what }: TimeoutOptions): ScopedSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new SkillzError("timeout", `Cannot ${what}: it takes longer than the ${ms} ms that are allowed`),
    );
  }, Math.min(ms, MAX_TIMER_MS));
  const unlink = linkAbort(parent ? [parent] : [], controller);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      unlink();
    },
  };
}

/** Longest time that a timer can take; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A signal that aborts with the first of `signals`. Unlike `AbortSignal.any` it holds on to none after its scope. */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): ScopedSignal {
  const controller = new AbortController();
  const unlink = linkAbort(signals.filter((signal) => signal !== undefined), controller);
  return { signal: controller.signal, [Symbol.dispose]: unlink };
}

/**
 * The outcome of `promise`, unless `signal` aborts first: then it rejects with the signal's reason, and what `promise`
 * brings later is dropped (a rejection too).
 */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Throws `cancelled`, saying what was cancelled, when `signal` has aborted; a `SkillzError` reason is thrown as it is. */
export function throwIfCancelled(signal: AbortSignal | undefined, what: string): void {
  if (!signal?.aborted) return;
  if (signal.reason instanceof SkillzError) throw signal.reason;
  throw new SkillzError("cancelled", `Cannot ${what}: the work was cancelled`, { cause: signal.reason });
}

function linkAbort(signals: readonly AbortSignal[], controller: AbortController): () => void {
  const listeners = signals.map((signal) => {
    const listener = () => controller.abort(signal.reason);
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) signal.removeEventListener("abort", listener);
  };
}
