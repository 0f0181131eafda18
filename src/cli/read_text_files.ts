import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Tool } from "../tools/tool.ts";

/** Largest file that a comparison of versions looks at. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** The text files of a tool, by their path in its folder; not its environment and not its versions. */
export async function readTextFiles(tool: Tool): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(tool.directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(tool.directory, path);
    if (!entry.isFile() || /^(?:env|\.versions|versions)[/\\]/.test(name)) continue;
    const bytes = await readFile(path);
    if (bytes.length <= MAX_TEXT_BYTES && !bytes.includes(0)) files.set(name, bytes.toString("utf8"));
  }
  return files;
}
