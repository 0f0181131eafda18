import { SkillzError } from "../base/errors.ts";
import { isJsonObject } from "../base/json.ts";
import type { EditorConfig } from "./editors.ts";
import type { ParseError } from "jsonc-parser";

/** How the editor starts the server. */
export interface ServerEntry {
  /** The program that the editor starts. */
  command: string;
  /** What it is started with. */
  args: readonly string[];
  /** Variables that it gets. */
  env: Readonly<Record<string, string>>;
}

/** Which entry goes into which editor's file. */
export interface WantedEntry {
  config: EditorConfig;
  entry: ServerEntry;
}

/**
 * The text of an editor's configuration file with Skillz in it. Everything else in it, comments included, stays as it
 * is. `before` is the present text, empty for a new file.
 *
 * Throws `invalid_input` when the present text can't be read, so that nothing is lost.
 */
export async function withServerEntry(before: string, wanted: WantedEntry): Promise<string> {
  return wanted.config.format === "toml" ? await tomlWith(before, wanted) : await jsonWith(before, wanted);
}

async function jsonWith(before: string, { config, entry }: WantedEntry): Promise<string> {
  const { applyEdits, modify, parse } = await import("jsonc-parser");
  const text = before.trim() === "" ? "{}\n" : before;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length || !isJsonObject(value)) throw unreadable(config.path, "JSON");
  const edits = modify(text, [...config.servers, "skillz"], { ...config.extra, ...entry }, {
    formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" },
  });
  return applyEdits(text, edits);
}

async function tomlWith(before: string, { config, entry }: WantedEntry): Promise<string> {
  const { parse, stringify } = await import("smol-toml");
  try {
    parse(before);
  } catch {
    throw unreadable(config.path, "TOML");
  }
  const header = [...config.servers, "skillz"].join(".");
  const table = `[${header}]\n${
    stringify({ command: entry.command, args: [...entry.args], env: { ...entry.env } })
  }`
    .replace("\n[env]", `\n[${header}.env]`);
  const kept = withoutTable(before, header);
  return `${kept.trimEnd()}${kept.trim() ? "\n\n" : ""}${table.trimEnd()}\n`;
}

// smol-toml writes no comments back, so the old table is cut out by its header lines instead.
function withoutTable(text: string, header: string): string {
  let inside = false;
  return text.split("\n").filter((line) => {
    const found = /^\s*\[+\s*([^\]]+?)\s*\]+\s*(#.*)?$/.exec(line)?.[1];
    if (found !== undefined) inside = found === header || found.startsWith(`${header}.`);
    return !inside;
  }).join("\n");
}

function unreadable(path: string, format: string): SkillzError {
  return new SkillzError(
    "invalid_input",
    `Cannot add Skillz to ${path}: the file is not valid ${format}, nothing was changed`,
    {
      hint: "Mend the file, or add the entry by hand",
    },
  );
}
