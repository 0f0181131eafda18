import { basename } from "node:path";
import type { Manifest } from "./tool.ts";

/** Endings of scripts by the program that runs them, for manifests that name no file. */
const ENDINGS: Readonly<Record<string, string>> = {
  bash: "sh",
  bun: "ts",
  deno: "ts",
  node: "js",
  nodejs: "js",
  perl: "pl",
  php: "php",
  python: "py",
  python3: "py",
  ruby: "rb",
  sh: "sh",
};

/** Programs by the ending of a script, for manifests that name none. */
const PROGRAMS: Readonly<Record<string, string>> = {
  bash: "bash",
  cjs: "node",
  js: "node",
  mjs: "node",
  mts: "deno run",
  php: "php",
  pl: "perl",
  py: "python3",
  rb: "ruby",
  sh: "bash",
  ts: "deno run",
};

/** The interpreter that a script's ending means; undefined when it means none. */
export function interpreterFor(file: string): string | undefined {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(PROGRAMS, ending) ? PROGRAMS[ending] : undefined;
}

/**
 * The file that is run, relative to the tool's folder: `entry_file`, or the tool's name with the ending that belongs to
 * its type and interpreter. Undefined for tools that have none (pipelines, imported servers, knowledge).
 */
export function entryFile(manifest: Pick<Manifest, "name" | "tool_type" | "interpreter" | "entry_file">):
  | string
  | undefined {
  switch (manifest.tool_type) {
    case "script":
      return manifest.entry_file ?? `${manifest.name}.${ending(manifest.interpreter)}`;
    case "wasm":
      return manifest.entry_file ?? `${manifest.name}.wasm`;
    case "pipeline":
    case "mcp":
    case "knowledge":
      return undefined;
  }
}

function ending(interpreter: string | undefined): string {
  const [program = ""] = interpreter?.trim().split(/\s+/) ?? [];
  const name = basename(program).replace(/\.exe$/i, "").toLowerCase();
  return ENDINGS[name] ?? (name.startsWith("python") ? "py" : "script");
}
