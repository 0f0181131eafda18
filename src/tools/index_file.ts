import { atomicWrite } from "../base/atomic_write.ts";
import { isJsonObject } from "../base/json.ts";
import type { TreeEntry } from "./_tree.ts";
import type { Manifest } from "./tool.ts";

/** What is known of a folder, as long as everything in `entries` is as it was. */
export interface IndexRecord {
  /** What the folder held: the record is stale when that differs. */
  readonly entries: readonly TreeEntry[];
  /** When it was read, in milliseconds. */
  readonly readAt: number;
  /** Absent for a folder of knowledge. */
  readonly tool?: {
    readonly manifest: Manifest;
    readonly hash: string;
    /** The unchanging copy that it runs from; absent when it runs from the visible folder. */
    readonly snapshot?: string;
  };
}

/** Raised whenever a manifest is read in another way than before, so that older records count for nothing. */
const FORMAT = 1;

/**
 * The records by folder. The file only saves time: a missing, broken, or foreign one is as good as an empty one,
 * because every record is compared with the disk before it is used.
 */
export async function readIndex(path: string): Promise<Map<string, IndexRecord>> {
  try {
    const json: unknown = JSON.parse(await Deno.readTextFile(path));
    if (!isJsonObject(json) || json.format !== FORMAT || !isJsonObject(json.folders)) return new Map();
    const records = Object.entries(json.folders).filter(([, record]) => isRecord(record));
    return new Map(records as unknown as [string, IndexRecord][]);
  } catch {
    return new Map();
  }
}

/** Replaces the file at once; another server that reads meanwhile sees the old or the new one. */
export async function writeIndex(path: string, records: ReadonlyMap<string, IndexRecord>): Promise<void> {
  // Lost in a power cut it is made again, so nobody waits for the disk.
  const text = JSON.stringify({ format: FORMAT, folders: Object.fromEntries(records) });
  await atomicWrite(path, text, { sync: false });
}

function isRecord(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value.readAt !== "number") return false;
  if (!Array.isArray(value.entries) || !value.entries.every(isEntry)) return false;
  const { tool } = value;
  return tool === undefined ||
    isJsonObject(tool) && typeof tool.hash === "string" && isJsonObject(tool.manifest) &&
      typeof tool.manifest.name === "string" && isJsonObject(tool.manifest.input_schema);
}

function isEntry(value: unknown): boolean {
  return isJsonObject(value) && typeof value.path === "string" && typeof value.mtime === "number";
}
