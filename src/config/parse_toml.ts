import { parse, TomlError } from "smol-toml";

/** A TOML file as a table, or what is wrong with it in one line that quotes nothing of the file. */
export type ParsedToml = { readonly table: Readonly<Record<string, unknown>> } | { readonly fault: string };

/** Reads TOML. A file of its own, to be loaded late: most starts find no skillz.toml. */
export function parseToml(text: string): ParsedToml {
  try {
    return { table: parse(text) };
  } catch (error) {
    // The parser's message goes on with lines of the file, which may hold secrets.
    const where = error instanceof TomlError ? `line ${error.line}, column ${error.column}: ` : "";
    const what = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { fault: `${where}${what}` };
  }
}
