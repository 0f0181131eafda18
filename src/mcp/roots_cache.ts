import { fileURLToPath } from "node:url";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";

/** How long it counts that a client did not tell its roots, in milliseconds. */
const FAILURE_MS = 60_000;

/** A client's workspace roots, asked once and again after it said that they changed. */
export class RootsCache {
  readonly #now: () => number;
  #known: Promise<readonly string[]> | undefined;
  #until = Infinity;

  /** Knows nothing yet; `now` tells the time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The roots; `ask` is used when they are not known. A client that does not tell has none for a while. */
  get(ask: () => Promise<JsonObject>): Promise<readonly string[]> {
    const known = this.#now() < this.#until ? this.#known : undefined;
    return known ?? this.#learn(ask);
  }

  /** Remembers an answer that was asked for elsewhere. */
  remember(answer: JsonObject): void {
    this.#known = Promise.resolve(rootPaths(answer));
    this.#until = Infinity;
  }

  /** Forgets them: the client said that they changed. */
  forget(): void {
    this.#known = undefined;
  }

  #learn(ask: () => Promise<JsonObject>): Promise<readonly string[]> {
    const learned = ask().then(rootPaths).catch((error: unknown) => {
      this.#failed(learned, error);
      return [];
    });
    this.#known = learned;
    this.#until = Infinity;
    return learned;
  }

  // That a call was cancelled while it asked says nothing about the client; the next call asks again.
  #failed(learned: Promise<readonly string[]>, error: unknown): void {
    if (this.#known !== learned) return;
    if (error instanceof SkillzError && error.code !== "cancelled") this.#until = this.#now() + FAILURE_MS;
    else this.#known = undefined;
  }
}

/** The absolute paths in an answer to `roots/list`; roots that are no local files are left out. */
export function rootPaths(answer: JsonObject): readonly string[] {
  const roots = Array.isArray(answer.roots) ? answer.roots : [];
  return roots.flatMap((root) => {
    if (!isJsonObject(root) || typeof root.uri !== "string") return [];
    try {
      return [fileURLToPath(root.uri)];
    } catch {
      return [];
    }
  });
}
