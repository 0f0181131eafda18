import { isJsonObject } from "../base/json.ts";
import { SkillzError } from "../base/errors.ts";

/** Names of skills (or other bundles) by bundle name; bundle names start with `@`. */
export type Bundles = Readonly<Record<string, readonly string[]>>;

/** Bundles that exist without any file. */
export const BUILT_IN_BUNDLES: Bundles = { "@dev-full": ["dev", "sys", "memory"] };

/** Bundles with what was wrong in the files they came from. */
export interface LoadedBundles {
  /** All bundles; an earlier file wins over a later one, and every file over the built-in ones. */
  readonly bundles: Bundles;
  /** One line for each file or entry that could not be used. */
  readonly problems: readonly string[];
}

/** Reads `bundles.json` files in order of priority; files that do not exist are passed over. */
export async function loadBundles(paths: readonly string[]): Promise<LoadedBundles> {
  const bundles: Record<string, readonly string[]> = { ...BUILT_IN_BUNDLES };
  const problems: string[] = [];
  for (const path of paths.toReversed()) {
    const text = await readIfThere(path);
    if (text === undefined) continue;
    try {
      Object.assign(bundles, parseBundles(text, path, problems));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { bundles, problems };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw new SkillzError("unavailable", `Cannot read bundles from ${path}: the file can't be opened`, {
      cause: error,
    });
  }
}

function parseBundles(text: string, path: string, problems: string[]): Record<string, string[]> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new SkillzError("invalid_input", `Cannot read bundles from ${path}: it is not valid JSON`, {
      cause,
    });
  }
  if (!isJsonObject(value)) {
    throw new SkillzError("invalid_input", `Cannot read bundles from ${path}: the top must be an object`);
  }
  const found: Record<string, string[]> = {};
  for (const [key, members] of Object.entries(value)) {
    const name = key.startsWith("@") ? key : `@${key}`;
    if (Array.isArray(members) && members.every((m) => typeof m === "string")) found[name] = members;
    else problems.push(`Cannot use bundle "${name}" of ${path}: its value must be a list of skill names`);
  }
  return found;
}
