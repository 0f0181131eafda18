import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Access } from "../../../sandbox/permissions.ts";

/** A folder that a module finds open. */
export interface Preopen {
  /** Its name inside. */
  readonly name: string;
  /** Its real path. */
  readonly path: string;
  /** Whether it is made at the first use and removed after the call. */
  readonly scratch?: boolean;
}

/** Where the private folder of a call is found inside. */
export const SCRATCH_NAME = "/tmp";

/** What {@linkcode findPreopens} starts from. */
export interface PreopenRequest {
  /** What is granted. */
  readonly access: Access;
  /** Real path of the call's private folder, which is not there yet. */
  readonly scratch: string;
  /** Where relative paths begin; the scratch folder when absent. */
  readonly workingDirectory?: string;
}

/**
 * The folders to open for what is granted, under their real paths, the scratch folder as `/tmp` and the working
 * directory as `.`. A granted file, or one still to be made, is reached through the folder that holds it: opening
 * a folder grants nothing by itself, the rights do.
 */
export async function findPreopens(
  { access, scratch, workingDirectory }: PreopenRequest,
): Promise<readonly Preopen[]> {
  const granted = [...access.read, ...access.write].filter((path) => path !== scratch);
  const folders = new Set(await Promise.all(granted.map(nearestFolder)));
  folders.delete(SCRATCH_NAME);
  return [
    workingDirectory === undefined || workingDirectory === scratch
      ? { name: ".", path: scratch, scratch: true }
      : { name: ".", path: workingDirectory },
    { name: SCRATCH_NAME, path: scratch, scratch: true },
    ...[...folders].sort().map((path) => ({ name: path, path })),
  ];
}

async function nearestFolder(path: string): Promise<string> {
  try {
    if ((await stat(path)).isDirectory()) return path;
  } catch {
    // not there: the tool may make it
  }
  const parent = dirname(path);
  return parent === path ? path : await nearestFolder(parent);
}
