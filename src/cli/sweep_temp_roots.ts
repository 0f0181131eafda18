import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadLate } from "../base/load_late.ts";
import { OWNER_FILE, TEMP_ROOT_NAME } from "../base/temp_root.ts";

/** A folder without a lock may be one that is being made; after that long it is none. */
const MAKING_MS = 3_600_000;

/** Options of {@linkcode sweepTempRoots}. */
export interface SweepOptions {
  /**
   * Where the folders lie.
   * @default the system's folder for temporary files
   */
  readonly parent?: string;
  /** Ends it between two folders. */
  readonly signal?: AbortSignal;
}

/**
 * Removes what servers that were killed have left among the temporary files. Whether one lives is told by its lock,
 * which holds across containers that share the folder and is not fooled by an id that was given to another process.
 * Returns the names of the folders that are gone.
 */
export async function sweepTempRoots(options: SweepOptions = {}): Promise<string[]> {
  const { parent = tmpdir(), signal } = options;
  const removed: string[] = [];
  for await (const { name } of Deno.readDir(parent)) {
    if (signal?.aborted) break;
    const path = join(parent, name);
    if (!TEMP_ROOT_NAME.test(name) || !(await isLeft(path))) continue;
    // Loaded when there is something to do: an idle server would keep 3 MB for it.
    const url = new URL("../install/remove_folder.ts", import.meta.url);
    const { removeFolder } = await loadLate<typeof import("../install/remove_folder.ts")>(url);
    await removeFolder(path).then(() => removed.push(name), () => {});
  }
  return removed;
}

async function isLeft(path: string): Promise<boolean> {
  const info = await Deno.lstat(path).catch(() => undefined);
  // Others' folders are theirs, and behind a link lies what is none of ours.
  if (!info?.isDirectory || (Deno.build.os !== "windows" && info.uid !== Deno.uid())) return false;
  let owner: Deno.FsFile;
  try {
    owner = await Deno.open(join(path, OWNER_FILE), { write: true });
  } catch (error) {
    return error instanceof Deno.errors.NotFound &&
      Date.now() - (info.mtime?.getTime() ?? Infinity) > MAKING_MS;
  }
  try {
    // A Deno before 2.9 can only wait for a lock.
    return "tryLock" in owner && await owner.tryLock(true);
  } catch {
    return false;
  } finally {
    owner.close();
  }
}
