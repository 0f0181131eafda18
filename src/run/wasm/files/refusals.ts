import { join } from "node:path";

/** Most paths that are remembered. */
const MOST = 3;

/** Remembers which paths a run was refused, for the message of its failure. */
export class Refusals {
  /** Where the paths at handle 0 belong. */
  workingDirectory = "/";
  readonly #paths = new Map<string, "read" | "write">();
  readonly #lost = new Set<string>();

  /** A path without the right. */
  refused(path: string, wanted: "read" | "write"): void {
    if (this.#paths.size < MOST || this.#paths.has(path)) this.#paths.set(path, wanted);
  }

  /** A path that leads nowhere, or out of its folder. */
  lost(at: number, path: string): void {
    // What climbs up was no absolute path.
    if (at === 0 && !path.startsWith("..") && this.#lost.size < MOST) this.#lost.add(path);
  }

  /** What to do about it, if anything was refused. */
  hint(): string | undefined {
    const lines = (["read", "write"] as const).flatMap((field) => {
      const paths = [...this.#paths].filter(([, wanted]) => wanted === field).map(([path]) => path);
      return paths.length === 0 ? [] : [`Not granted: permissions.${field}: ${JSON.stringify(paths)}`];
    });
    // WASI programs look for absolute paths that are not granted in their working directory.
    for (const path of this.#lost) {
      lines.push(
        `Not found in the working directory: ${
          join(this.workingDirectory, path)
        }; if "/${path}" was meant, ` +
          `it has to be granted: permissions.read: [${JSON.stringify(`/${path}`)}]`,
      );
    }
    return lines.length === 0 ? undefined : lines.join("\n");
  }
}
