import { posix } from "node:path";
import { readSource } from "./repository.ts";

/** Static and dynamic imports, re-exports, `import("…")` types, and modules named for a worker. */
const FORMS = [
  /^\s*(?:import|export)\b[\w$\s{},*]*?\bfrom\s*["']([^"']+)["']/gm,
  /^\s*import\s*["']([^"']+)["']/gm,
  /\bimport\s*\(\s*["']([^"']+)["']/g,
  /\bnew URL\(\s*["'](\.[^"']+\.ts)["']\s*,\s*import\.meta\.url/g,
];

/** `import type …`, `export type … from`, and types written as `import("…").Name`. */
const TYPE_FORMS = [
  /^\s*(?:import|export)\s+type\b[\w$\s{},*]*?\bfrom\s*["'][^"']+["']/gm,
  /(?<!await )\bimport\([^()]*\)\.[A-Z]/g,
];

/** Options of {@linkcode specifiersOf}. */
export interface SpecifiersOptions {
  /**
   * Leave out what only types are taken from: it is gone when the program runs.
   * @default false
   */
  values?: boolean;
}

/** Specifiers of everything that a source imports, however it does so. Comments do not count. */
export function specifiersOf(source: string, options: SpecifiersOptions = {}): string[] {
  let code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  if (options.values) { for (const form of TYPE_FORMS) code = code.replace(form, ""); }
  return FORMS.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ""));
}

/** Files of the repository that each of the given files imports, as paths from its root. */
export async function importGraph(
  files: readonly string[],
  options: SpecifiersOptions = {},
): Promise<Map<string, string[]>> {
  const graph = new Map<string, string[]>();
  for (const file of files) {
    const specifiers = specifiersOf(await readSource(file), options);
    const relative = specifiers.filter((specifier) => specifier.startsWith("."));
    graph.set(file, relative.map((specifier) => posix.join(posix.dirname(file), specifier)));
  }
  return graph;
}

/** One cycle of imports as the list of its files, or undefined when there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = walk(next, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = walk(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
