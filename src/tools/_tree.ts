import { join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { innerPathFault } from "./_inner_path.ts";
import type { Manifest } from "./tool.ts";

/** One file, folder or link of a tool's folder, with what tells that it changed. */
export interface TreeEntry {
  /** Path inside the folder with `/`; "" is the folder itself. */
  readonly path: string;
  /** A link is never followed. */
  readonly kind: "file" | "folder" | "link";
  /** Bytes of a file. */
  readonly size: number;
  /** Milliseconds. */
  readonly mtime: number;
  /** 0 where the system has none. */
  readonly ino: number;
}

/** Made by machines beside the code, never part of a version. Locks follow from the dependencies in the manifest. */
const SKIPPED_AT_TOP = new Set([
  ".versions",
  "versions",
  "env",
  "Cargo.lock",
  "deno.lock",
  "dependencies.lock",
  "package-lock.json",
  "requirements.lock",
  "uv.lock",
]);
const SKIPPED_ANYWHERE = new Set([".DS_Store", ".git", "__pycache__", "node_modules"]);

/** More entries are no tool any more, and would make each look at the folder slow. */
const MAX_ENTRIES = 10_000;

/** Whether an entry is left out of hashes and versions. */
export function isSkipped(path: string, ownData: readonly string[]): boolean {
  const parts = path.split("/");
  return SKIPPED_AT_TOP.has(parts[0] ?? "") || parts.some((part) => SKIPPED_ANYWHERE.has(part)) ||
    path.endsWith(".pyc") || ownData.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

/** Folders inside the tool's own that it may write: what it keeps there is its data, not its code. */
export function ownDataFolders(manifest: Pick<Manifest, "permissions">): string[] {
  return (manifest.permissions?.write ?? []).flatMap((path) => {
    const inner = /^\$TOOL\/(.+?)\/*$/.exec(path)?.[1];
    return inner !== undefined && innerPathFault(inner) === undefined ? [inner] : [];
  });
}

/**
 * Everything in a folder that counts as code, in a stable order. Links are told, not followed.
 *
 * @throws `SkillzError("invalid_input")` when it holds too much or something that is no file.
 */
export async function listTree(folder: string, ownData: readonly string[]): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  const visit = async (path: string): Promise<void> => {
    const here = await look(folder, path);
    if (here.kind !== "folder") throw new SkillzError("invalid_input", "Cannot read the folder: it is none");
    entries.push(here);
    const names = await Array.fromAsync(Deno.readDir(join(folder, path)));
    await Promise.all(names.map(async (child) => {
      const inner = path === "" ? child.name : `${path}/${child.name}`;
      if (isSkipped(inner, ownData)) return;
      if (entries.length > MAX_ENTRIES) {
        throw new SkillzError(
          "invalid_input",
          `Cannot read the folder: it holds more than ${MAX_ENTRIES} files`,
        );
      }
      if (child.isDirectory) await visit(inner);
      else entries.push(await look(folder, inner));
    }));
  };
  await visit("");
  return entries.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** One entry as it is now. */
export async function look(folder: string, path: string): Promise<TreeEntry> {
  const info = await Deno.lstat(path === "" ? folder : join(folder, path));
  const kind = info.isSymlink ? "link" : info.isDirectory ? "folder" : info.isFile ? "file" : undefined;
  if (kind === undefined) {
    throw new SkillzError(
      "invalid_input",
      `Cannot read ${JSON.stringify(path)}: it is no file, folder or link`,
    );
  }
  // A folder's size and a link's tell nothing that their time does not.
  const size = kind === "file" ? info.size : 0;
  return { path, kind, size, mtime: info.mtime?.getTime() ?? 0, ino: info.ino ?? 0 };
}
