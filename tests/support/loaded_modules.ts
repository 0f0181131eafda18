import { ROOT } from "./repository.ts";

interface Graph {
  readonly roots: readonly string[];
  readonly redirects?: Readonly<Record<string, string>>;
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly isDynamic?: boolean;
      readonly code?: { readonly specifier?: string };
    }[];
  }[];
}

/** What is loaded with a module of this repository: paths from its root, and specifiers of what is not in it. */
export async function loadedModules(path: string): Promise<string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", path],
    cwd: ROOT,
    stderr: "inherit",
  }).output();
  const graph: Graph = JSON.parse(new TextDecoder().decode(stdout));
  const needs = new Map(graph.modules.map(({ specifier, dependencies = [] }) => [
    specifier,
    dependencies.filter(({ isDynamic }) => isDynamic !== true)
      .flatMap(({ code }) => code?.specifier === undefined ? [] : [code.specifier]),
  ]));
  const found = new Set<string>();
  const waiting = [...graph.roots];
  for (let specifier = waiting.pop(); specifier !== undefined; specifier = waiting.pop()) {
    if (found.has(specifier)) continue;
    found.add(specifier);
    waiting.push(...needs.get(graph.redirects?.[specifier] ?? specifier) ?? []);
  }
  const root = new URL(`file://${ROOT}`).href;
  return [...found].map((specifier) => specifier.startsWith(root) ? specifier.slice(root.length) : specifier);
}
