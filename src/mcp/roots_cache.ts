import { fileURLToPath } from "node:url";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";

/** How long it counts that a client did not tell its roots, in milliseconds. */
const FAILURE_MS = 60_000;

/** A client's workspace roots, asked once and again after it said that they changed. */
export class RootsCache {
  readonly #now: () => number;
  #known: Promise<readonly string[] | undefined> | undefined;
  #until = Infinity;

  /** Knows nothing yet; `now` tells the time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * The roots, undefined when the client names none; `ask` is used when they are not known. A client that does not tell
   * has none for a while.
   */
  get(ask: () => Promise<JsonObject>): Promise<readonly string[] | undefined> {
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

  #learn(ask: () => Promise<JsonObject>): Promise<readonly string[] | undefined> {
    const learned = ask().then(rootPaths).catch((error: unknown) => {
      this.#failed(learned, error);
      return undefined;
    });
    this.#known = learned;
    this.#until = Infinity;
    return learned;
  }

  // That a call was cancelled while it asked says nothing about the client; the next call asks again.
  #failed(learned: Promise<readonly string[] | undefined>, error: unknown): void {
    if (this.#known !== learned) return;
    if (error instanceof SkillzError && error.code !== "cancelled") this.#until = this.#now() + FAILURE_MS;
    else this.#known = undefined;
  }
}

/**
 * The absolute paths in an answer to `roots/list`; undefined when it names no root at all. Roots that are no local files
 * are left out: a client with nothing but such has a workspace, which just is not here.
 */
export function rootPaths(answer: JsonObject): readonly string[] | undefined {
  const roots = Array.isArray(answer.roots) ? answer.roots : [];
  if (roots.length === 0) return undefined;
  return roots.flatMap((root) => {
    if (!isJsonObject(root) || typeof root.uri !== "string") return [];
    try {
      return [fileURLToPath(root.uri)];
    } catch {
      return [];
    }
  });
}
