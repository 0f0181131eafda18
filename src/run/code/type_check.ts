import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillzError } from "../../base/errors.ts";
import { runProcess } from "../../process/run.ts";
import type { TypeCompiler } from "./find_compiler.ts";

/** A fault at a place of the given code, both counted from 1. */
export interface CodeFault {
  /** Counted from 1, in the given code. */
  line: number;
  /** Counted from 1. */
  column: number;
  /** The compiler's words. */
  message: string;
}

/** What {@linkcode typeCheck} needs besides the code. */
export interface TypeCheckOptions {
  /** Declarations of everything the code may use. */
  declarations: string;
  /** The program that checks. */
  compiler: TypeCompiler;
  /** Environment of that program. */
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /**
   * Where temporary files go.
   * @default the system's folder for them
   */
  tempRoot?: string;
}

/** Most faults that are told; the first ones matter, the rest follows from them. */
const MAX_FAULTS = 10;
const TIMEOUT_MS = 30_000;
const TSC_FLAGS = [
  "--noEmit",
  // With `noImplicitAny`, since only with it `const all = []` takes the type of what is put in; what it complains of is
  // dropped, see TOLERATED.
  "--strict",
  // `catch (error) { print(error.message) }` and `list.find(…).name` are what everybody writes.
  "--useUnknownInCatchVariables",
  "false",
  "--strictNullChecks",
  "false",
  "--target",
  "esnext",
  "--module",
  "esnext",
  "--lib",
  "esnext",
  "--types",
  "",
  "--pretty",
  "false",
  // Declarations are generated and the library is TypeScript's own: only the code is to be checked, in a third of the time.
  "--skipLibCheck",
  // The compiler may read what the code may not: a type in a message would tell what another file holds.
  "--noResolve",
];
/**
 * Codes of what is no fault in a program of a few lines: what has no type that the compiler could tell, and arithmetic
 * with what becomes a number only when it is run, as in `new Date(a) - new Date(b)`.
 */
const TOLERATED = /^(?:7\d{3}|236[23])$/;
/** What may make Deno's check read other files, which it does without permissions. */
const READS_FILES = /\b(?:import|export)\b|<reference/;

/** The code as it is checked and run: the body of an async function, its first line on line 2. */
export function asFunctionBody(code: string): string {
  return `async function program() {\n${code}\n}\n`;
}

/** How many lines stand before the given code in {@linkcode asFunctionBody}. */
export const LINES_BEFORE = 1;

/**
 * Checks the types of a program's body and returns its faults, none when it is sound.
 *
 * @throws {SkillzError} `unavailable` when the compiler itself fails, `timeout`, `cancelled`.
 */
export async function typeCheck(code: string, options: TypeCheckOptions): Promise<CodeFault[]> {
  // Such code goes unchecked to the sandbox, where its imports need permissions.
  if (options.compiler.kind === "deno" && READS_FILES.test(code)) return [];
  const folder = await mkdtemp(join(options.tempRoot ?? tmpdir(), "skillz-check-"));
  try {
    await writeFile(join(folder, "tools.d.ts"), options.declarations);
    await writeFile(join(folder, "code.ts"), asFunctionBody(code));
    const { kind, command } = options.compiler;
    const args = kind === "tsc" ? [...TSC_FLAGS, "tools.d.ts", "code.ts"] : [
      "check",
      "--quiet",
      "--config=deno.json",
      "--no-lock",
      "--no-remote",
      "--no-npm",
      await denoEntry(folder),
    ];
    const { code: exit, stdout, stderr } = await runProcess(
      { command, args, cwd: folder, env: { ...options.env, NO_COLOR: "1" } },
      { timeoutMs: TIMEOUT_MS, signal: options.signal },
    );
    if (exit === 0) return [];
    const found = kind === "tsc" ? tscFaults(stdout) : denoFaults(stderr);
    if (found.length === 0) throw compilerFailed(`${stdout}\n${stderr}`);
    return found.filter(({ code }) => !TOLERATED.test(code ?? "")).slice(0, MAX_FAULTS)
      .map(({ code: _, ...told }) => told);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** As {@linkcode TSC_FLAGS} do: without Deno's own globals, which the declarations would say once more. */
const DENO_CONFIG = JSON.stringify({
  compilerOptions: {
    lib: ["esnext"],
    strict: true,
    useUnknownInCatchVariables: false,
    strictNullChecks: false,
  },
});

async function denoEntry(folder: string): Promise<string> {
  await writeFile(join(folder, "deno.json"), DENO_CONFIG);
  await writeFile(join(folder, "entry.ts"), `/// <reference path="./tools.d.ts" />\nimport "./code.ts";\n`);
  return "entry.ts";
}

/** A fault with the compiler's number for it, where it has one. */
interface NumberedFault extends CodeFault {
  code?: string;
}

function tscFaults(output: string): NumberedFault[] {
  const faults: NumberedFault[] = [];
  for (const line of output.split("\n")) {
    const match = /^code\.ts\((\d+),(\d+)\): error TS(\d+): (.*)$/.exec(line.trimEnd());
    if (match) faults.push({ ...fault(match[1], match[2], match[4]), code: match[3] ?? "" });
    // Indented lines explain the fault before them.
    else if (/^\s+\S/.test(line)) {
      const last = faults.at(-1);
      if (last && last.message.length < 1000) last.message += ` ${line.trim()}`;
    }
  }
  return faults;
}

function denoFaults(output: string): NumberedFault[] {
  const faults: NumberedFault[] = [];
  const syntax = /(?:SyntaxError|could not be parsed): (.*?)(?: at file:\S*?|\n[\s\S]*?)code\.ts:(\d+):(\d+)/
    .exec(output);
  if (syntax) return [fault(syntax[2], syntax[3], syntax[1])];
  for (const block of output.split(/(?=TS\d+ \[ERROR\])/)) {
    const [, code, message] = /TS(\d+) \[ERROR\]: (.*)/.exec(block) ?? [];
    const place = /code\.ts:(\d+):(\d+)/.exec(block);
    if (code && message && place) faults.push({ ...fault(place[1], place[2], message), code });
  }
  return faults;
}

function fault(line: string | undefined, column: string | undefined, message: string | undefined): CodeFault {
  return { line: Number(line) - LINES_BEFORE, column: Number(column), message: message ?? "" };
}

function compilerFailed(output: string): SkillzError {
  const text = output.trim().slice(0, 500);
  return new SkillzError("unavailable", `Cannot check the code's types: the compiler failed: ${text}`, {
    hint: 'Pass language "javascript" to run without a type check',
  });
}
