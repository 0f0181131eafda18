import { readFile } from "node:fs/promises";
import { entryFile } from "../../tools/entry_file.ts";
import { join } from "node:path";
import type { Tool } from "../../tools/tool.ts";
import { findInterpreter } from "./interpreters.ts";

/** A line that holds nothing but a comment, in any of the languages. */
const COMMENT_LINE = /^[ \t]*(?:#|\/\/).*$/gm;

/**
 * Whether a script visibly reads its standard input, so that a process of it may be started before its call. A script
 * that never reads would do its work at once, without a call. `"standby": false` in the manifest forbids it too.
 */
export async function waitsForCall(tool: Tool): Promise<boolean> {
  if (tool.manifest.extra.standby === false) return false;
  const row = findInterpreter(tool.manifest.interpreter ?? "");
  if (row === undefined) return false;
  try {
    const code = await readFile(join(tool.directory, entryFile(tool.manifest) ?? ""), "utf8");
    return row.reads.test(code.replace(COMMENT_LINE, ""));
  } catch {
    return false;
  }
}
