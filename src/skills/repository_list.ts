import { join } from "node:path";
import { atomicWrite } from "../base/atomic_write.ts";
import { isJsonObject } from "../base/json.ts";

/** A repository that was added. */
export interface AddedRepository {
  /** Its folder below `repos/`: `owner/name`. */
  readonly folder: string;
  /** Where it was cloned from. */
  readonly url: string;
  /** The branch that was taken. */
  readonly branch: string;
  /** Hash of the state that is here. */
  readonly commit: string;
  /** The only part of it that counts, when it was added by an address that names one. */
  readonly path?: string;
}

/** The folder of all repositories. */
export function repositoriesFolder(toolsDir: string): string {
  return join(toolsDir, "repos");
}

/** The repositories in the order in which they were added, which names depend on. */
export async function readRepositoryList(toolsDir: string): Promise<AddedRepository[]> {
  try {
    const list: unknown = JSON.parse(await Deno.readTextFile(fileOf(toolsDir)));
    return Array.isArray(list) ? list.flatMap(recordOf) : [];
  } catch {
    // Without it only the order is lost.
    return [];
  }
}

/** Writes the list; the folder must be there and locked. */
export async function writeRepositoryList(
  toolsDir: string,
  list: readonly AddedRepository[],
): Promise<void> {
  await atomicWrite(fileOf(toolsDir), `${JSON.stringify(list, null, 2)}\n`);
}

function fileOf(toolsDir: string): string {
  return join(repositoriesFolder(toolsDir), ".repos.json");
}

function recordOf(value: unknown): AddedRepository[] {
  if (!isJsonObject(value)) return [];
  const { folder, url, branch, commit, path } = value;
  if (typeof folder !== "string" || typeof url !== "string") return [];
  return [{
    folder,
    url,
    branch: typeof branch === "string" ? branch : "",
    commit: typeof commit === "string" ? commit : "",
    ...(typeof path === "string" ? { path } : {}),
  }];
}
