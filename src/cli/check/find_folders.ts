import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { SkillzError } from "../../base/errors.ts";

/** What TOOLS_DIR holds besides tools: they are passed over unless they hold one. */
const OTHER_FOLDERS: ReadonlySet<string> = new Set([
  "audit",
  "envs",
  "node_modules",
  "repos",
  "scripts",
  "services",
]);

/** Folders to check, and those beside them whose tools theirs may use. */
export interface CheckedFolders {
  /** Absolute paths, in order. */
  readonly checked: readonly string[];
  /** Absolute paths of tools that are only looked up. */
  readonly beside: readonly string[];
}

/**
 * Finds the folders of tools: a given folder is one itself when it holds a manifest.json or SKILL.md, else its
 * subfolders are.
 *
 * @throws {SkillzError} `invalid_input` for one that is not there, or holds no tool and must.
 */
export async function findFolders(
  given: readonly string[],
  { mayBeEmpty }: { mayBeEmpty: boolean },
): Promise<CheckedFolders> {
  const checked = new Set<string>();
  const beside = new Set<string>();
  for (const path of given.map((one) => resolve(one))) {
    if (await isToolFolder(path)) {
      checked.add(path);
      for (const other of await toolFoldersIn(dirname(path))) beside.add(other);
      continue;
    }
    const below = await toolFoldersIn(path, { all: true });
    // A mistyped path must not pass for sound tools.
    if (below.length === 0 && !mayBeEmpty) {
      throw new SkillzError("invalid_input", `Cannot check ${path}: it holds no tool's folder`, {
        hint: "Name a tool's folder, or one that holds tools' folders",
      });
    }
    for (const folder of below) checked.add(folder);
  }
  return { checked: [...checked], beside: [...beside].filter((path) => !checked.has(path)) };
}

async function isToolFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new SkillzError(
      "invalid_input",
      `Cannot check ${path}: ${found ? "it is no folder" : "there is no such folder"}`,
      { hint: "Name a tool's folder, or one that holds tools' folders" },
    );
  }
  return await holdsTool(path);
}

/** Subfolders that hold a tool; with `all` also those that should, and links, which the server takes for none. */
async function toolFoldersIn(path: string, { all = false } = {}): Promise<string[]> {
  const folders: string[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile() || entry.name.startsWith(".")) continue;
    const folder = join(path, entry.name);
    if ((all && !OTHER_FOLDERS.has(entry.name)) || await holdsTool(folder)) folders.push(folder);
  }
  return folders.sort();
}

async function holdsTool(path: string): Promise<boolean> {
  const has = (name: string) => stat(join(path, name)).then((info) => info.isFile(), () => false);
  return await has("manifest.json") || await has("SKILL.md");
}
