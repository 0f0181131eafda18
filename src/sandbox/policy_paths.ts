import { isAbsolute, join } from "node:path";
import { realPath } from "./paths.ts";
import type { Permissions } from "./permissions.ts";
import type { PathView } from "./policy_items.ts";

/** What placeholders stand for. */
export interface PolicyPlaces {
  /** Workspace roots. */
  readonly roots: readonly string[];
  /** The user's home folder. */
  readonly home: string;
}

/** Follows the links of all paths in `lists`, so that they can be compared: a link leads nowhere that it hides. */
export async function openPathView(
  lists: readonly (Permissions | undefined)[],
  places: PolicyPlaces,
): Promise<PathView> {
  const texts = new Set(lists.flatMap((list) => [...list?.read ?? [], ...list?.write ?? []]));
  const meanings = new Map(
    await Promise.all([...texts].map(async (text) => [text, await meaningOf(text, places)] as const)),
  );
  return (text) => meanings.get(text) ?? [text];
}

async function meaningOf(text: string, { roots, home }: PolicyPlaces): Promise<readonly string[]> {
  const [, name, rest = ""] = /^\$(ROOTS|HOME)(?:[/\\](.*))?$/s.exec(text) ?? [];
  if (name === "HOME") return [await follow(join(home, rest))];
  if (name === "ROOTS") return await Promise.all(roots.map((root) => follow(join(root, rest))));
  return [isAbsolute(text) ? await follow(text) : text];
}

/** Where links can't be followed nothing is granted later either; the path as it stands serves to compare. */
async function follow(path: string): Promise<string> {
  return await realPath(path).catch(() => path);
}
