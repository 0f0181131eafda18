import { join } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { findEntry } from "./_find_entry.ts";
import { hashTree } from "./_hash_tree.ts";
import { treeFault } from "./_json_bounds.ts";
import { skillManifest } from "./_skill_manifest.ts";
import { listTree, ownDataFolders, type TreeEntry } from "./_tree.ts";
import { interpreterFor } from "./entry_file.ts";
import { parseManifest } from "./manifest.ts";
import type { Manifest } from "./tool.ts";

/** What is found in one folder: a tool, or undefined where it holds knowledge without a tool. */
export interface LoadedFolder {
  /** What was found; undefined when it is broken. */
  readonly tool: { readonly manifest: Manifest; readonly hash: string } | undefined;
  /** Everything that the finding depends on. */
  readonly entries: readonly TreeEntry[];
}

/** Options of {@linkcode loadFolder}. */
export interface LoadFolderOptions {
  /** The name that the manifest must have. */
  name: string;
  /**
   * Whether what the older edition wrote is mended instead of refused.
   * @default true
   */
  lenient?: boolean;
  /** Fields for a manifest.json that is not there, e.g. in versions that the older edition kept. */
  fallback?: JsonObject;
}

/** Larger manifests are refused before they are read. */
const MAX_MANIFEST_BYTES = 8 * 1024 * 1024;

/**
 * Reads one tool's folder: manifest, entry file, hash over everything. Follows no link out of it.
 *
 * @throws `SkillzError` with the reason when the folder is broken.
 */
export async function loadFolder(folder: string, options: LoadFolderOptions): Promise<LoadedFolder> {
  const info = await Deno.lstat(folder);
  if (info.isSymlink) throw broken("is a link, must be a folder", "Copy the folder to this place");
  if (!info.isDirectory) throw broken("is no folder");
  const json = await readManifest(folder, options);
  if (json === undefined) return { tool: undefined, entries: await listTree(folder, []) };
  const parsed = parseManifest(json, { folder: options.name, lenient: options.lenient ?? true });
  const entries = await listTree(folder, ownDataFolders(parsed));
  const entry = findEntry(parsed, entries);
  const manifest = entry === undefined ? parsed : runnable({ ...parsed, entry_file: entry }, entry);
  return { tool: { manifest, hash: await hashTree(folder, entries, { manifest }) }, entries };
}

/** A script that names no interpreter is run by what its ending means. */
function runnable(manifest: Manifest, entry: string): Manifest {
  if (manifest.tool_type !== "script" || manifest.interpreter !== undefined) return manifest;
  const interpreter = interpreterFor(entry);
  if (interpreter !== undefined) return { ...manifest, interpreter };
  throw broken(
    `names no interpreter, and none is known for "${entry}"`,
    "Add interpreter to its manifest.json",
  );
}

async function readManifest(folder: string, options: LoadFolderOptions): Promise<JsonObject | undefined> {
  const text = await readOwnFile(folder, "manifest.json");
  if (text !== undefined) return parseText(text);
  const skill = await readOwnFile(folder, "SKILL.md");
  if (skill !== undefined) {
    const manifest = await skillManifest(skill, options.name);
    if (manifest) return { ...options.fallback, ...manifest };
    if (!options.fallback) return undefined;
  }
  if (options.fallback) return options.fallback;
  throw broken("has no manifest.json", "Add one, or remove the folder");
}

/** A file that lies in the folder itself; undefined when there is none. */
async function readOwnFile(folder: string, name: string): Promise<string | undefined> {
  const path = join(folder, name);
  try {
    const info = await Deno.lstat(path);
    if (!info.isFile) {
      throw broken(`has a ${name} that is ${info.isSymlink ? "a link" : "no file"}, must be a file`);
    }
    if (info.size > MAX_MANIFEST_BYTES) {
      throw broken(`has a ${name} of ${info.size} bytes, at most 8 MiB are read`);
    }
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function parseText(text: string): JsonObject {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    // V8 quotes the text around the fault: fine here, it is the manifest and no argument.
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SkillzError("invalid_input", `Cannot load the folder: manifest.json is no JSON: ${why}`, {
      cause,
    });
  }
  if (!isJsonObject(json)) throw broken("has a manifest.json that holds no object");
  const fault = treeFault(json);
  if (fault !== undefined) throw broken(`has a manifest.json that ${fault}`);
  return json;
}

function broken(what: string, hint?: string): SkillzError {
  return new SkillzError(
    "invalid_input",
    `Cannot load the folder: it ${what}`,
    hint === undefined ? {} : { hint },
  );
}
