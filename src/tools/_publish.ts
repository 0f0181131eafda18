import { dirname, join } from "node:path";
import { atomicWrite } from "../base/atomic_write.ts";
import { isJsonObject } from "../base/json.ts";
import { copyEntry, manifestLast } from "./_copy_tree.ts";
import type { Layout, ToolPlace } from "./_layout.ts";
import { pendingNames } from "./_pending.ts";
import { makeFolder } from "./_make_folder.ts";
import { isFolder } from "./_scan_folder.ts";
import { listTree, ownDataFolders } from "./_tree.ts";
import { loadFolder } from "./load_folder.ts";
import { isVersion } from "./version_number.ts";

/** A name in the staging folder: what a journal says is checked like everything that lies on a disk. */
const STAGED = /^[a-zA-Z0-9_-]+\.[0-9a-f-]+$/;

/** A version on its way to be the current one. */
export interface PendingCommit {
  /** Its number. */
  version: string;
  /** Name of its folder in the staging folder, from where it is moved; absent for one that is there already. */
  staged?: string;
}

/**
 * Makes a version the visible state of its tool. The caller holds the lock.
 *
 * The version's folder is complete before anything visible changes, and the journal says that the change is under way:
 * whoever finds the journal – this process or, after its death, another one – repeats the copying, and the folder is
 * whole again.
 */
export async function commit(place: ToolPlace, pending: PendingCommit): Promise<void> {
  await makeFolder(place.versions);
  await atomicWrite(place.journal, JSON.stringify(pending));
  await finish(place, pending);
}

/** Ends what processes that died have begun. The caller holds the lock. */
export async function recover(layout: Layout): Promise<void> {
  for (const name of await pendingNames(layout)) {
    const place = layout.tool(name);
    const pending = await readJournal(place.journal);
    if (pending) await finish(place, pending);
    else await Deno.remove(place.journal).catch(() => {});
  }
}

async function readJournal(path: string): Promise<PendingCommit | undefined> {
  try {
    const json: unknown = JSON.parse(await Deno.readTextFile(path));
    if (!isJsonObject(json) || typeof json.version !== "string" || !isVersion(json.version)) return undefined;
    const { version, staged } = json;
    return { version, ...(typeof staged === "string" && STAGED.test(staged) ? { staged } : {}) };
  } catch {
    return undefined;
  }
}

async function finish(place: ToolPlace, pending: PendingCommit): Promise<void> {
  const folder = place.version(pending.version);
  const staged = pending.staged === undefined ? undefined : join(dirname(place.journal), pending.staged);
  // Neither a link, which would lead elsewhere, nor a tool that was removed in between.
  if (await isFolder(place.home) && await isFolder(place.versions)) {
    if (staged !== undefined && await isFolder(staged)) await Deno.rename(staged, folder);
    if (await isFolder(folder)) await show(place, folder);
  }
  await Deno.remove(place.journal);
}

/** Makes the visible folder hold what the version's folder holds, one file at a time, the manifest last. */
async function show(place: ToolPlace, folder: string): Promise<void> {
  const { tool, entries } = await loadFolder(folder, { name: place.name });
  const ownData = tool ? ownDataFolders(tool.manifest) : [];
  const wanted = new Map(entries.map((entry) => [entry.path, entry]));
  for (const old of (await listTree(place.home, ownData)).reverse()) {
    const kept = wanted.get(old.path);
    const path = join(place.home, old.path);
    if (old.path === "" || kept?.kind === old.kind || old.path === "manifest.json") continue;
    if (old.kind !== "folder") await Deno.remove(path);
    // A folder may hold what is skipped; then it stays.
    else await Deno.remove(path).catch(() => {});
  }
  for (const entry of manifestLast(entries)) {
    const target = join(place.home, entry.path);
    if (entry.kind === "folder") {
      await Deno.mkdir(target, { recursive: true });
      continue;
    }
    const temporary = place.fresh();
    await copyEntry({ from: folder, to: temporary }, entry);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.rename(temporary, target);
  }
}
