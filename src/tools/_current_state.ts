import { SkillzError } from "../base/errors.ts";
import { copyTree } from "./_copy_tree.ts";
import type { ToolPlace } from "./_layout.ts";
import { makeFolder } from "./_make_folder.ts";
import { isFolder, type Scan, scanFolder } from "./_scan_folder.ts";
import { listTree, ownDataFolders } from "./_tree.ts";
import { writeManifest } from "./manifest.ts";
import { isVersion, nextVersion } from "./version_number.ts";

/** What a name stands for on the disk at this moment, whatever this process remembers. */
export interface CurrentState {
  readonly scan: Scan;
  /** All version numbers that a state of it has or had. */
  readonly used: ReadonlySet<string>;
}

/** Looks at the disk. */
export async function currentState(place: ToolPlace): Promise<CurrentState> {
  const scan = await scanFolder(place);
  const used = new Set([...await versionNames(place.versions), ...await versionNames(place.oldVersions)]);
  if (scan.kind === "tool") used.add(scan.tool.manifest.version);
  return { scan, used };
}

/** Names of the version folders in a folder; links and other things are passed over. */
export async function versionNames(folder: string): Promise<string[]> {
  if (!(await isFolder(folder))) return [];
  const entries = await Array.fromAsync(Deno.readDir(folder));
  return entries.filter((entry) => entry.isDirectory && isVersion(entry.name)).map((entry) => entry.name);
}

/**
 * Keeps the visible state as a version, unless one holds the same already: it was made or edited by hand, and an
 * update must not lose that. The caller holds the lock.
 *
 * @returns all numbers that are used then.
 */
export async function archiveCurrent(place: ToolPlace, state: CurrentState): Promise<ReadonlySet<string>> {
  const { scan, used } = state;
  if (scan.kind === "gone" || scan.kind === "tool" && scan.record.tool?.snapshot !== undefined) return used;
  await makeFolder(place.versions);
  const staged = place.fresh();
  const taken = new Set([...await versionNames(place.versions), ...await versionNames(place.oldVersions)]);
  let version: string;
  try {
    if (scan.kind === "tool") {
      const { manifest } = scan.tool;
      version = nextVersion(taken, { given: manifest.version });
      await copyTree({ from: place.home, to: staged }, await listTree(place.home, ownDataFolders(manifest)));
      const json = writeManifest({ ...manifest, version });
      await Deno.writeTextFile(`${staged}/manifest.json`, JSON.stringify(json, null, 2));
    } else {
      // It can't run, so no number of a release is spent on it; but the files are somebody's work.
      version = firstFree(taken);
      await copyTree({ from: place.home, to: staged }, await listTree(place.home, []));
    }
    await Deno.rename(staged, place.version(version));
  } catch (cause) {
    await Deno.remove(staged, { recursive: true }).catch(() => {});
    throw new SkillzError(
      "unavailable",
      `Cannot keep the present state of "${place.name}": its folder can't be copied, it must be before it is replaced`,
      { cause, hint: "Look at the folder, or delete the tool first" },
    );
  }
  return new Set([...used, version]);
}

function firstFree(taken: ReadonlySet<string>): string {
  for (let n = 1;; n++) {
    const version = `0.0.0-broken.${n}`;
    if (!taken.has(version)) return version;
  }
}
