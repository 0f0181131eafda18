import { join } from "node:path";
import type { FindSkillsOptions } from "./find_skills.ts";
import { readRepositoryList, repositoriesFolder } from "./repository_list.ts";

/** A place where knowledge skills lie. */
export interface SkillSource extends FindSkillsOptions {
  /** Absolute path of the folder that is looked through. */
  readonly root: string;
  /** What tells its skills apart from others of the same name. */
  readonly label: string;
  /** Whom a repository belongs to. */
  readonly owner?: string;
  /** Whether it is TOOLS_DIR itself, where tools lie too. */
  readonly tools?: boolean;
}

/** Where {@linkcode skillSources} looks. */
export interface SkillPlaces {
  /** Absolute path of TOOLS_DIR. */
  readonly toolsDir: string;
  /** Workspace roots. */
  readonly roots: readonly string[];
  /** Home folder of the user. */
  readonly home: string;
}

/** Folders in which other programs keep skills. */
const CLIENTS = ["claude", "gemini", "codex"];

/** All places that there are, the first to keep its names first: TOOLS_DIR, repositories, workspaces, home. */
export async function skillSources({ toolsDir, roots, home }: SkillPlaces): Promise<SkillSource[]> {
  const places = [
    ...roots.filter((root) => root !== home).map((folder) => ({ folder, follow: false })),
    // Links at home are the user's own; those of a workspace may come from anybody.
    { folder: home, follow: true },
  ];
  return [
    { root: toolsDir, label: "tools", tools: true, depth: 1 },
    ...await repositories(toolsDir),
    ...places.flatMap(({ folder, follow }) =>
      CLIENTS.map((client) => ({ root: join(folder, `.${client}`, "skills"), label: client, follow }))
    ),
  ];
}

async function repositories(toolsDir: string): Promise<SkillSource[]> {
  const base = repositoriesFolder(toolsDir);
  const there = new Set<string>();
  for (const owner of await foldersOf(base)) {
    for (const name of await foldersOf(join(base, owner))) there.add(`${owner}/${name}`);
  }
  const added = await readRepositoryList(toolsDir);
  const known = added.filter(({ folder }) => there.has(folder));
  const others = [...there].filter((folder) => !known.some((one) => one.folder === folder)).sort();
  return [...known, ...others.map((folder) => ({ folder, path: undefined }))].map(({ folder, path }) => {
    const [owner = "", label = ""] = folder.split("/");
    const bound = join(base, folder);
    return { root: path === undefined ? bound : join(bound, path), bound, label, owner };
  });
}

async function foldersOf(path: string): Promise<string[]> {
  try {
    const entries = await Array.fromAsync(Deno.readDir(path));
    return entries.filter((entry) => entry.isDirectory && !entry.name.startsWith(".")).map(({ name }) =>
      name
    );
  } catch {
    return [];
  }
}

/** Whether a folder of TOOLS_DIR may hold a tool or a skill. */
export function isToolFolder(path: string): boolean {
  return path !== "" && !path.startsWith(".") &&
    !["audit", "node_modules", "repos", "services"].includes(path);
}
