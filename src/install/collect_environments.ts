import { mkdir, readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { lockFile } from "../base/file_lock.ts";
import type { Tool } from "../tools/tool.ts";
import { type EnvironmentFacts, ENVIRONMENTS_FOLDER, LOCKS_FOLDER, readFacts } from "./_environment_facts.ts";
import { type Language, languageOf } from "./language.ts";
import { parseDependencies } from "./parse_dependencies.ts";
import { readLock } from "./tool_environments.ts";
import { removeFolder } from "./remove_folder.ts";

/** Options of {@linkcode collectEnvironments}. */
export interface CollectOptions {
  /**
   * How long nobody must have used an environment: longer than any call may take.
   * @default 259200000
   */
  readonly olderThanMs?: number;
  /** Stops between two environments. */
  readonly signal?: AbortSignal;
}

/**
 * Removes environments that no state of a tool refers to and that nobody has used for a while, and what was left of
 * installations that were cut off. `states` gives all tools in all their kept versions; it is asked only when something
 * is old enough. Which interpreter an environment is for does not count: another server may find another one. Returns
 * the names of those removed.
 */
export async function collectEnvironments(
  toolsDir: string,
  states: () => AsyncIterable<Tool>,
  options: CollectOptions = {},
): Promise<string[]> {
  const { olderThanMs = 3 * 86_400_000, signal } = options;
  const folder = join(toolsDir, ENVIRONMENTS_FOLDER);
  const isOld = async (path: string) => {
    const found = await stat(path).catch(() => undefined);
    return found !== undefined && Date.now() - found.mtimeMs >= olderThanMs;
  };
  const old: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory() || entry.name === LOCKS_FOLDER) continue;
    if (await isOld(join(folder, entry.name))) old.push(entry.name);
  }
  if (old.length === 0) return [];
  const wanted = await wantedBy(states());
  const removed: string[] = [];
  for (const name of old) {
    signal?.throwIfAborted();
    const facts = await readFacts(join(folder, name));
    if (facts !== undefined && isWanted(facts, wanted)) continue;
    if (await removeOne({ folder, name, isOld })) removed.push(name);
  }
  return removed;
}

/** By language and dependencies: the locks with which they are wanted; undefined is any. */
type Wanted = ReadonlyMap<string, ReadonlySet<string | undefined>>;

async function wantedBy(states: AsyncIterable<Tool>): Promise<Wanted> {
  const wanted = new Map<string, Set<string | undefined>>();
  for await (const tool of states) {
    const { interpreter = "", dependencies } = tool.manifest;
    const language = languageOf(interpreter);
    if (language === undefined || dependencies.length === 0) continue;
    const key = keyOf(language, texts(language, dependencies));
    const locks = wanted.get(key) ?? new Set();
    wanted.set(key, locks.add(await readLock(tool)));
  }
  return wanted;
}

/** As environments write them down; one that is refused is in none. */
function texts(language: Language, dependencies: readonly string[]): readonly string[] {
  try {
    return parseDependencies(language, dependencies).map(({ text }) => text);
  } catch {
    return [];
  }
}

function isWanted({ language, dependencies, lock }: EnvironmentFacts, wanted: Wanted): boolean {
  const locks = wanted.get(keyOf(language, dependencies));
  return locks !== undefined && (locks.has(undefined) || locks.has(lock));
}

function keyOf(language: Language, dependencies: readonly string[]): string {
  return JSON.stringify([language, ...dependencies]);
}

interface Candidate {
  folder: string;
  name: string;
  isOld(path: string): Promise<boolean>;
}

/** Takes it out of sight at once, so that nobody finds half of it; under the lock of whoever would make it. */
async function removeOne({ folder, name, isOld }: Candidate): Promise<boolean> {
  // What a cut-off installation left is nobody's.
  if (name.startsWith(".")) {
    await removeFolder(join(folder, name));
    return true;
  }
  const locks = join(folder, LOCKS_FOLDER);
  await mkdir(locks, { recursive: true });
  try {
    await using _lock = await lockFile(join(locks, name), { timeoutMs: 0 });
    if (!(await isOld(join(folder, name)))) return false;
    const aside = join(folder, `.${crypto.randomUUID()}.tmp`);
    await rename(join(folder, name), aside);
    await removeFolder(aside);
    return true;
  } catch (error) {
    // It is being made right now.
    if (error instanceof SkillzError && error.code === "timeout") return false;
    throw error;
  }
}
