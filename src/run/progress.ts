import type { ProgressUpdate } from "./call_context.ts";

/**
 * The progress of one call, as its caller sees it: values only rise, whatever the code reports.
 *
 * Calls below report here too. Their notes keep the client's clock alive and carry their message, but they only fill
 * a thousandth of a step above the last value of this call, so the next own value still rises.
 */
export class Progress {
  readonly #forward: (update: ProgressUpdate) => void;
  #last = -Infinity;
  #own: { progress: number; total?: number } = { progress: 0 };
  #below = 0;

  /** Progress that is handed on to `forward`. */
  constructor(forward: (update: ProgressUpdate) => void) {
    this.#forward = forward;
  }

  /** Reports what the call itself says; values that do not rise are left out. */
  own(update: ProgressUpdate): void {
    this.#own = { progress: update.progress, ...(update.total === undefined ? {} : { total: update.total }) };
    this.#below = 0;
    this.#send(update);
  }

  /** Reports what a call below says. */
  nested(update: ProgressUpdate): void {
    const step = Math.max(this.#own.total ?? 1, Number.MIN_VALUE) / 1000;
    this.#below += 1;
    const progress = Math.max(this.#own.progress, this.#last) +
      step * (1 / this.#below - 1 / (this.#below + 1));
    this.#send({
      ...this.#own,
      progress,
      ...(update.message === undefined ? {} : { message: update.message }),
    });
  }

  #send(update: ProgressUpdate): void {
    if (!(update.progress > this.#last) || !Number.isFinite(update.progress)) return;
    this.#last = update.progress;
    this.#forward(update);
  }
}
