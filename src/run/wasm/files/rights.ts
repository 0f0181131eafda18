import { isInside } from "../../../base/is_inside.ts";
import type { Access } from "../../../sandbox/permissions.ts";

/** What may be done with a path. */
export type Right = "none" | "read" | "write";

/** Tells what an access grants for a real path: the longest path that holds it decides. */
export class Rights {
  readonly #rules: readonly { readonly path: string; readonly right: Right }[];
  readonly #hidden: readonly string[];

  /** Reads the grants. */
  constructor(access: Pick<Access, "read" | "write" | "hidden">) {
    this.#hidden = access.hidden ?? [];
    const rules = (paths: readonly string[], right: Right) => paths.map((path) => ({ path, right }));
    // Of equal paths the one that comes first decides.
    this.#rules = [
      ...rules(access.write, "write"),
      ...rules(access.read, "read"),
      ...rules(this.#hidden, "none"),
    ].sort((a, b) => b.path.length - a.path.length);
  }

  /** What may be done with `path`. */
  of(path: string): Right {
    return this.#rules.find((rule) => isInside(path, rule.path))?.right ?? "none";
  }

  /** Whether a hidden path lies below: moving the folder would bring it to light. */
  holdsHidden(path: string): boolean {
    return this.#hidden.some((hidden) => isInside(hidden, path));
  }
}
