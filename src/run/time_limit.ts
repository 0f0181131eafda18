import { SkillzError } from "../base/errors.ts";
import type { CallContext } from "./call_context.ts";

/** What {@linkcode TimeLimit} needs to know. */
export interface TimeLimitOptions {
  /** The tool, for the message. */
  readonly tool: string;
  /** Its `limits.timeout_ms`. */
  readonly timeoutMs: number;
}

/**
 * The time that one call may take. Its clock stands still while a question is with the client, so that a person may
 * take their time; the one who asks bounds that wait.
 */
export class TimeLimit implements Disposable {
  /** Aborts when the time is over or the call above was cancelled. */
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #reason: () => SkillzError;
  readonly #parent: AbortSignal;
  readonly #onParentAbort: () => void;
  #left: number;
  #runningSince: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #questions = 0;

  /** Starts the clock. */
  constructor(ctx: Pick<CallContext, "signal" | "deadline">, options: TimeLimitOptions) {
    const untilDeadline = ctx.deadline === undefined ? Infinity : ctx.deadline - Date.now();
    const inherited = untilDeadline < options.timeoutMs;
    this.#left = Math.max(0, Math.min(options.timeoutMs, untilDeadline));
    this.#reason = () => inherited ? inheritedTimeout(options) : ownTimeout(options);
    this.#parent = ctx.signal;
    this.#onParentAbort = () => this.#end(this.#parent.reason);
    this.signal = this.#controller.signal;
    if (this.#parent.aborted) this.#controller.abort(this.#parent.reason);
    else if (this.#left === 0) this.#controller.abort(this.#reason());
    else {
      this.#parent.addEventListener("abort", this.#onParentAbort, { once: true });
      this.#start();
    }
  }

  /** When the time is over as things stand, in milliseconds since the epoch. */
  get deadline(): number {
    const used = this.#runningSince === undefined ? 0 : performance.now() - this.#runningSince;
    return Math.ceil(Date.now() + this.#left - used);
  }

  /** Stops the clock while `work` is under way. */
  async pausedWhile<T>(work: () => Promise<T>): Promise<T> {
    if (this.#questions++ === 0) this.#stop();
    try {
      return await work();
    } finally {
      if (--this.#questions === 0 && !this.signal.aborted) this.#start();
    }
  }

  /** Ends the clock; the signal never aborts afterwards. */
  [Symbol.dispose](): void {
    this.#questions = Infinity;
    this.#stop();
    this.#parent.removeEventListener("abort", this.#onParentAbort);
  }

  #start(): void {
    this.#runningSince = performance.now();
    this.#timer = setTimeout(() => this.#end(this.#reason()), this.#left);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    if (this.#runningSince === undefined) return;
    this.#left = Math.max(0, this.#left - (performance.now() - this.#runningSince));
    this.#runningSince = undefined;
  }

  #end(reason: unknown): void {
    this.#stop();
    this.#parent.removeEventListener("abort", this.#onParentAbort);
    this.#controller.abort(reason);
  }
}

function ownTimeout({ tool, timeoutMs }: TimeLimitOptions): SkillzError {
  return new SkillzError(
    "timeout",
    `Cannot finish tool "${tool}": it ran longer than its limit, limits.timeout_ms is ${timeoutMs}`,
    {
      hint: "Give it less to do, or register it with a greater limits.timeout_ms",
      data: { timeout_ms: timeoutMs },
    },
  );
}

function inheritedTimeout({ tool }: TimeLimitOptions): SkillzError {
  return new SkillzError(
    "timeout",
    `Cannot finish tool "${tool}": the time limit of the call above it is over, it had to end before`,
    { hint: "Raise limits.timeout_ms of the outer tool" },
  );
}
