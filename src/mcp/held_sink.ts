import type { ChangeSink } from "./session.ts";

/**
 * Keeps notifications for a client that has no stream open to get them on: over HTTP those sent before its stream is
 * there would be lost. What came more than once in the meantime is told once.
 */
export class HeldSink implements ChangeSink {
  readonly #to: ChangeSink;
  readonly #held = new Map<string, () => void>();
  #open = false;

  /** Passes on to `to` while open. */
  constructor(to: ChangeSink) {
    this.#to = to;
  }

  /** The client has a stream: passes on what was kept, and what comes. */
  open(): void {
    this.#open = true;
    for (const send of this.#held.values()) send();
    this.#held.clear();
  }

  /** The stream is gone. */
  hold(): void {
    this.#open = false;
  }

  /** `tools/list` changed. */
  toolsChanged(): void {
    this.#pass("tools", () => this.#to.toolsChanged());
  }

  /** `prompts/list` changed. */
  promptsChanged(): void {
    this.#pass("prompts", () => this.#to.promptsChanged());
  }

  /** `resources/list` changed. */
  resourcesChanged(): void {
    this.#pass("resources", () => this.#to.resourcesChanged());
  }

  /** The contents of a resource changed. */
  resourceUpdated(uri: string): void {
    this.#pass(`updated ${uri}`, () => this.#to.resourceUpdated(uri));
  }

  #pass(key: string, send: () => void): void {
    if (this.#open) send();
    else this.#held.set(key, send);
  }
}
