/** Options of {@linkcode RateLimiter}. */
export interface RateLimiterOptions {
  /** Requests a second in the long run. */
  readonly perSecond: number;
  /** Requests at once. */
  readonly burst: number;
  /** The time in milliseconds. */
  readonly now?: () => number;
}

/** How many keys are remembered; those that were idle longest are forgotten, which only favours them. */
const MAX_KEYS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** Bounds how often each key may do something: a bucket of tokens that fills up slowly. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();
  readonly #options: RateLimiterOptions;
  readonly #now: () => number;

  /** Every key starts with a full bucket. */
  constructor(options: RateLimiterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Takes a token; returns 0, or the seconds to wait when there is none. */
  take(key: string): number {
    const { perSecond, burst } = this.#options;
    const now = this.#now();
    const known = this.#buckets.get(key);
    const tokens = known ? Math.min(burst, known.tokens + ((now - known.at) / 1_000) * perSecond) : burst;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    if (this.#buckets.size > MAX_KEYS) this.#forgetOldest();
    return tokens < 1 ? Math.max(1, Math.ceil((1 - tokens) / perSecond)) : 0;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
