import { dirname, join } from "node:path";
import { innerLink } from "./_hash_tree.ts";
import type { TreeEntry } from "./_tree.ts";

/** From which folder, and to which path. */
export interface Way {
  /** What is copied. */
  readonly from: string;
  /** Where the copy comes. */
  readonly to: string;
}

/** Copies the listed entries of a folder into another one, which is made; the manifest last. */
export async function copyTree({ from, to }: Way, entries: readonly TreeEntry[]): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for (const entry of manifestLast(entries)) {
    const target = join(to, entry.path);
    if (entry.kind === "folder") {
      await Deno.mkdir(target, { recursive: true });
    } else {
      await Deno.mkdir(dirname(target), { recursive: true });
      await copyEntry({ from, to: target }, entry);
    }
  }
}

/** Copies one file or link to a path, with its mode; a link stays one, and leads where it led. */
export async function copyEntry({ from, to }: Way, entry: TreeEntry): Promise<void> {
  if (entry.kind === "link") await Deno.symlink(await innerLink(from, entry.path), to);
  else await Deno.copyFile(join(from, entry.path), to);
}

/** Folders come before what is in them, and the manifest after everything, because it makes the folder a tool. */
export function manifestLast(entries: readonly TreeEntry[]): TreeEntry[] {
  return [...entries].sort((a, b) =>
    Number(a.path === "manifest.json") - Number(b.path === "manifest.json") || (a.path < b.path ? -1 : 1)
  );
}
