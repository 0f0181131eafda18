import type { FrameId } from "../frame.ts";

/** Collects the answers to the messages of one JSON array, which are sent together once the last is there. */
export class Batch {
  readonly #open: Set<FrameId>;
  readonly #answers: unknown[];
  readonly #send: (answers: readonly unknown[]) => void;

  /** `open` are the ids that will be answered, `answers` the errors that are known already. */
  constructor(open: Iterable<FrameId>, answers: unknown[], send: (answers: readonly unknown[]) => void) {
    this.#open = new Set(open);
    this.#answers = answers;
    this.#send = send;
    this.#sendIfWhole();
  }

  /** Takes the answer to one message; without an answer the message was cancelled and gets none. */
  settle(id: FrameId, answer?: unknown): void {
    if (!this.#open.delete(id)) return;
    if (answer !== undefined) this.#answers.push(answer);
    this.#sendIfWhole();
  }

  #sendIfWhole(): void {
    if (this.#open.size === 0 && this.#answers.length > 0) this.#send(this.#answers.splice(0));
  }
}
