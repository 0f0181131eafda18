import { SkillzError } from "../base/errors.ts";
import type { TreeEntry } from "./_tree.ts";
import { entryFile } from "./entry_file.ts";
import type { Manifest } from "./tool.ts";

/** Names under which scripts of folders made elsewhere are found when nothing names them. */
const USUAL = ["main", "index", "run", "tool", "script"];

/**
 * The entry file that is really there: the one that manifest or name say, else – if the manifest names none – the one
 * that it can only be. Undefined for tools that need none.
 *
 * @throws `SkillzError("invalid_input")` when it is gone.
 */
export function findEntry(manifest: Manifest, entries: readonly TreeEntry[]): string | undefined {
  const wanted = entryFile(manifest);
  if (wanted === undefined) return undefined;
  const files = entries.filter((entry) => entry.kind !== "folder" && entry.path !== "manifest.json")
    .map((entry) => entry.path);
  if (files.includes(wanted)) return wanted;
  if (manifest.entry_file === undefined) {
    const found = guess(manifest, wanted, files);
    if (found !== undefined) return found;
  }
  throw new SkillzError(
    "invalid_input",
    `Cannot load the folder: entry_file "${wanted}" is not in it${
      files.length ? `, there is ${files.slice(0, 5).join(", ")}` : ""
    }`,
  );
}

function guess(manifest: Manifest, wanted: string, files: readonly string[]): string | undefined {
  const ending = wanted.slice(wanted.lastIndexOf("."));
  if (manifest.tool_type === "wasm") {
    const modules = files.filter((file) => file.endsWith(".wasm"));
    return modules.length === 1 ? modules[0] : undefined;
  }
  const stems = [manifest.name, ...USUAL];
  for (const folder of ["", "scripts/"]) {
    for (const stem of stems) {
      const file = files.find((path) => path === `${folder}${stem}${ending}`);
      if (file !== undefined) return file;
    }
  }
  const same = files.filter((file) => file.endsWith(ending));
  if (same.length === 1) return same[0];
  const named = files.filter((file) => file.startsWith(`${manifest.name}.`) && !file.endsWith(".md"));
  return named.length === 1 ? named[0] : undefined;
}
