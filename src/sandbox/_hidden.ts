import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../base/is_inside.ts";
import { outermost } from "./paths.ts";

/** Where programs keep keys and passwords, in a home folder. */
const CREDENTIALS: readonly string[] = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".git-credentials",
  ".config/gh",
  ".config/gcloud",
  ".config/git/credentials",
  ".local/share/keyrings",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".bash_history",
  ".zsh_history",
];

/**
 * What has to stay out of sight in the granted folders: TOOLS_DIR (with the memory and the other tools) and, where a
 * workspace holds the home folder, the user's credentials.
 */
export async function hiddenPaths(
  granted: readonly string[],
  { toolsDir, home }: { toolsDir: string; home: string },
): Promise<string[]> {
  const candidates = [toolsDir, ...CREDENTIALS.map((name) => join(home, name))];
  const reachable = candidates.filter((path) => granted.some((grant) => isInside(path, grant)));
  const there = await Promise.all(reachable.map((path) => stat(path).then(() => true, () => false)));
  return outermost(reachable.filter((_, i) => there[i]));
}

/** `hidden` as paths none of which holds a granted one: a folder on the way to a grant is replaced by its entries. */
export async function spellOut(hidden: readonly string[], granted: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of hidden) {
    const within = granted.filter((grant) => isInside(grant, path));
    if (within.includes(path)) continue;
    if (within.length === 0) {
      found.push(path);
      continue;
    }
    const entries = await readdir(path).catch(() => []);
    found.push(...await spellOut(entries.map((name) => join(path, name)), within));
  }
  return found.sort();
}
