import { SkillzError } from "../base/errors.ts";
import type { ToolPlace } from "./_layout.ts";
import { look, type TreeEntry } from "./_tree.ts";
import type { IndexRecord } from "./index_file.ts";
import type { Tool } from "./tool.ts";

/** What a folder of TOOLS_DIR turned out to be. */
export type Scan =
  | { readonly kind: "tool"; readonly tool: Tool; readonly record: IndexRecord }
  | { readonly kind: "knowledge"; readonly record: IndexRecord }
  | { readonly kind: "broken"; readonly reason: string }
  | { readonly kind: "gone" };

/** Times are coarse: what was written just before it was read may be written again at the same time. */
const COARSE_MS = 50;

/** How often a folder that changes while it is read is read again. */
const TRIES = 5;

/** Options of {@linkcode scanFolder}. */
export interface ScanOptions {
  /** What the index knows; used when nothing changed since. */
  known?: IndexRecord | undefined;
}

/** Looks at one folder. Never throws for a faulty folder. */
export async function scanFolder(place: ToolPlace, { known }: ScanOptions = {}): Promise<Scan> {
  const { home, name } = place;
  if (known && await isFresh(place, known)) return asScan(place, known);
  try {
    for (let tries = 1;; tries++) {
      const readAt = Date.now();
      // Heavy (zod), and not needed where the index is fresh.
      const { loadFolder } = await import("./load_folder.ts");
      const { tool, entries } = await loadFolder(home, { name });
      const snapshot = tool &&
        await snapshotOf(place, { version: tool.manifest.version, hash: tool.hash });
      if (tries < TRIES && !(await isSame(home, entries))) continue;
      const record: IndexRecord = {
        entries,
        readAt,
        ...(tool ? { tool: { ...tool, ...(snapshot ? { snapshot } : {}) } } : {}),
      };
      return asScan(place, record);
    }
  } catch (error) {
    const gone = error instanceof Deno.errors.NotFound && !(await exists(home));
    return gone ? { kind: "gone" } : { kind: "broken", reason: reasonOf(error) };
  }
}

/** Why a folder is broken, in one line that goes on after its name. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const short = text.replace(/^Cannot [^:]*: (?:it )?/, "").replaceAll(/\s+/g, " ");
  return error instanceof SkillzError && error.hint ? `${short}. ${error.hint}` : short;
}

function asScan(place: ToolPlace, record: IndexRecord): Scan {
  const { tool } = record;
  if (!tool) return { kind: "knowledge", record };
  const directory = tool.snapshot === undefined ? place.home : place.version(tool.snapshot);
  return {
    kind: "tool",
    tool: { name: place.name, manifest: tool.manifest, hash: tool.hash, directory },
    record,
  };
}

async function isFresh(place: ToolPlace, known: IndexRecord): Promise<boolean> {
  if (known.entries.some((entry) => entry.mtime > known.readAt - COARSE_MS)) return false;
  const snapshot = known.tool?.snapshot;
  const checks = [isSame(place.home, known.entries)];
  if (snapshot !== undefined) checks.push(isFolder(place.version(snapshot)));
  return (await Promise.all(checks)).every(Boolean);
}

async function isSame(home: string, entries: readonly TreeEntry[]): Promise<boolean> {
  try {
    const now = await Promise.all(entries.map((entry) => look(home, entry.path)));
    return now.every((entry, index) => {
      const before = entries[index];
      return before !== undefined && entry.kind === before.kind && entry.size === before.size &&
        entry.mtime === before.mtime && entry.ino === before.ino;
    });
  } catch {
    return false;
  }
}

/** The version folder that holds the same as the visible one; what runs from there is not touched by any update. */
async function snapshotOf(
  place: ToolPlace,
  current: { version: string; hash: string },
): Promise<string | undefined> {
  const folder = place.version(current.version);
  if (!(await isFolder(place.versions)) || !(await isFolder(folder))) return undefined;
  try {
    const { loadFolder } = await import("./load_folder.ts");
    const { tool } = await loadFolder(folder, { name: place.name });
    return tool?.hash === current.hash ? current.version : undefined;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** Whether a real folder, no link, is at that path. */
export async function isFolder(path: string): Promise<boolean> {
  return await Deno.lstat(path).then((info) => info.isDirectory, () => false);
}
