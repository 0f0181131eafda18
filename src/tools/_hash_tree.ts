import { join, posix } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { sha256 } from "../base/hash.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { TreeEntry } from "./_tree.ts";
import { writeManifest } from "./manifest.ts";
import type { Manifest } from "./tool.ts";

/** Larger folders are data, which belongs elsewhere; each change would read all of it. */
const MAX_BYTES = 1024 ** 3;

/** Fields of the manifest that no run depends on. */
const IRRELEVANT = ["version", "created_at", "updated_at"];

/** SHA-256 in hex over a manifest and the other files of its folder: equal when a run can't tell the difference. */
export async function hashTree(
  folder: string,
  entries: readonly TreeEntry[],
  options: { manifest: Manifest },
): Promise<string> {
  const files = entries.filter((entry) => entry.kind !== "folder" && entry.path !== "manifest.json");
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total > MAX_BYTES) {
    throw new SkillzError(
      "invalid_input",
      `Cannot read the folder: its files have ${total} bytes, more than 1 GiB`,
    );
  }
  const hashes = await Promise.all(files.map(async (file) => {
    const content = file.kind === "link"
      ? await innerLink(folder, file.path)
      : await Deno.readFile(join(folder, file.path));
    return [file.path, file.kind, await sha256(content)];
  }));
  const json = writeManifest(options.manifest);
  for (const field of IRRELEVANT) delete json[field];
  return await sha256(JSON.stringify([canonical(json), hashes]));
}

/**
 * Where a link in a tool's folder leads, as it is written.
 *
 * @throws `SkillzError("denied")` when that could be outside of the folder.
 */
export async function innerLink(folder: string, path: string): Promise<string> {
  const target = await Deno.readLink(join(folder, path));
  // Behind the leading ../ there may be no other: through a second link it would climb from somewhere else.
  const straight = /^(?:\.\.\/)*(?!\.\.(?:\/|$))[^/]+(?:\/(?!\.\.(?:\/|$))[^/]+)*$/.test(target);
  if (!straight || posix.join(posix.dirname(path), target).startsWith("..")) {
    throw new SkillzError(
      "denied",
      `Cannot use the file ${JSON.stringify(path)}: it is a link out of the tool's folder, must stay inside`,
      { hint: "Copy the file into the folder" },
    );
  }
  return target;
}

/** The same for equal objects whatever the order of their keys. */
function canonical(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isJsonObject(value)) return value ?? null;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) sorted[key] = canonical(value[key]);
  return sorted;
}
