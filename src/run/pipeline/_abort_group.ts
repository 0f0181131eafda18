import { SkillzError } from "../../base/errors.ts";

/** Work that is done at the same time and ends together: when one part fails, the others are cancelled. */
export class AbortGroup {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal;

  /** A group that also ends when `parent` aborts. */
  constructor(parent: AbortSignal) {
    this.#parent = parent;
  }

  /** Aborts for all parts. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends what still runs. */
  abort(why: string): void {
    this.#controller.abort(
      new SkillzError("cancelled", `Cannot go on: ${why}, what ran beside it was ended`),
    );
  }

  /** Does the work; only as long as it lasts is the parent listened to. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const onAbort = () => this.#controller.abort(this.#parent.reason);
    this.#parent.addEventListener("abort", onAbort, { once: true });
    if (this.#parent.aborted) onAbort();
    try {
      return await work();
    } finally {
      this.#parent.removeEventListener("abort", onAbort);
    }
  }
}
