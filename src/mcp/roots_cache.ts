import { fileURLToPath } from "node:url";
import { isJsonObject, type JsonObject } from "../base/json.ts";

/** How long it counts that a client did not tell its roots, in milliseconds. */
const FAILURE_MS = 60_000;

/** A client's workspace roots, asked once and again after it said that they changed. */
export class RootsCache {
  #known: Promise<readonly string[]> | undefined;

  /** The roots; `ask` is used when they are not known. A client that does not answer has none for a while. */
  get(ask: () => Promise<JsonObject>): Promise<readonly string[]> {
    if (this.#known) return this.#known;
    const known = ask().then(rootPaths);
    const settled = known.catch(() => {
      const timer = setTimeout(() => {
        if (this.#known === settled) this.#known = undefined;
      }, FAILURE_MS);
      Deno.unrefTimer(timer);
      return [];
    });
    this.#known = settled;
    return settled;
  }

  /** Remembers an answer that was asked for elsewhere. */
  remember(answer: JsonObject): void {
    this.#known = Promise.resolve(rootPaths(answer));
  }

  /** Forgets them: the client said that they changed. */
  forget(): void {
    this.#known = undefined;
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
