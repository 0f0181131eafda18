import { isAbsolute } from "node:path";
import { SkillzError } from "../../base/errors.ts";
import { findInterpreter, INTERPRETERS, programName } from "./interpreters.ts";

/** What is known about a script whose interpreter is looked for. */
export interface ScriptHints {
  /** Program, perhaps with arguments. */
  interpreter?: string;
  /** File name extension, with or without the dot. */
  extension?: string;
  /** The source text. */
  code: string;
}

/** How a script is run. */
export interface ScriptKind {
  /** Program, perhaps with arguments, as the manifest keeps it. */
  interpreter: string;
  /** Extension of its file, without the dot. */
  extension: string;
}

/** What languages are called, where their program has another name. */
const ALIASES: Readonly<Record<string, string>> = {
  javascript: "node",
  js: "node",
  py: "python3",
  python: Deno.build.os === "windows" ? "python" : "python3",
  rb: "ruby",
  shell: "sh",
  ts: "deno run",
  typescript: "deno run",
};

/**
 * Finds out how a script is run: by the interpreter given, its extension, or its `#!` line – the first of these that
 * is there. Throws `SkillzError("invalid_input")` that lists what is known.
 */
export function detectInterpreter(hints: ScriptHints): ScriptKind {
  const extension = cleanExtension(hints.extension);
  if (hints.interpreter !== undefined) {
    const interpreter = cleanInterpreter(hints.interpreter);
    return { interpreter, extension: extension ?? extensionOf(interpreter, hints.code) };
  }
  const line = shebang(hints.code);
  if (extension !== undefined) {
    const row = INTERPRETERS.find((each) => each.extensions.includes(extension));
    if (row) return { interpreter: row.interpreter, extension };
    if (line === undefined) throw unknown(`nothing is known for the extension "${extension}"`);
  }
  if (line === undefined) throw unknown("neither interpreter, extension nor a #! line is given");
  return { interpreter: line, extension: extension ?? extensionOf(line, hints.code) };
}

function cleanInterpreter(given: string): string {
  const [first = "", ...rest] = given.trim().split(/\s+/);
  const alias = first.toLowerCase();
  const text = Object.hasOwn(ALIASES, alias) ? [ALIASES[alias], ...rest].join(" ") : given.trim();
  const [program = ""] = text.split(/\s+/);
  // deno-lint-ignore no-control-regex -- line breaks and NUL must not reach a command line
  if (program === "" || program.startsWith("-") || /[\x00-\x1f]/.test(text)) {
    throw unknown(`${JSON.stringify(given)} does not begin with a program`);
  }
  if (/[/\\]/.test(program) && !isAbsolute(program)) {
    throw unknown(`${JSON.stringify(program)} is a relative path, which leads nowhere for a tool`);
  }
  const row = findInterpreter(text);
  // Deno alone would open its prompt; its permissions come from the manifest, never from here.
  if (row?.deno) return "deno run";
  return text;
}

function cleanExtension(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const extension = given.trim().replace(/^\./, "").toLowerCase();
  if (!/^[a-z0-9_]{1,16}$/.test(extension)) {
    throw unknown(`${JSON.stringify(given)} is no file name extension`);
  }
  return extension;
}

function extensionOf(interpreter: string, code: string): string {
  const row = findInterpreter(interpreter);
  if (row === undefined) {
    return programName(interpreter.split(/\s+/)[0] ?? "").replace(/[^a-z0-9_]/g, "").slice(0, 16) || "txt";
  }
  // Node tells modules from scripts by the extension.
  if (row.interpreter === "node" && /^\s*(?:import\s+[\w*{"']|export\s)/m.test(code)) return "mjs";
  return row.extensions[0] ?? "txt";
}

/** The interpreter that a `#!` line names, without `env`. */
function shebang(code: string): string | undefined {
  const line = /^\ufeff?#!\s*(\S[^\r\n]*)/.exec(code)?.[1]?.trim();
  if (!line) return undefined;
  const words = line.split(/\s+/);
  if (/(?:^|\/)env$/.test(words[0] ?? "")) {
    words.shift();
    while (words[0] !== undefined && (words[0].startsWith("-") || words[0].includes("="))) words.shift();
  }
  if (words.length === 0) return undefined;
  const row = findInterpreter(words[0] ?? "");
  if (row?.deno) return row.interpreter;
  // A path such as /usr/local/bin/python3 is that of another machine: the name is what counts.
  const program = row === undefined ? words[0] ?? "" : (words[0] ?? "").split("/").at(-1) ?? "";
  return [program === "python" ? "python3" : program, ...words.slice(1)].join(" ");
}

function unknown(state: string): SkillzError {
  const known = INTERPRETERS.map((row) => `${row.interpreter} (.${row.extensions.join(", .")})`).join("; ");
  return new SkillzError("invalid_input", `Cannot tell how to run the script: ${state}`, {
    hint: `Give interpreter (a program on PATH, arguments allowed), extension, or a #! line. Known: ${known}`,
  });
}
