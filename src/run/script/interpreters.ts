/** A language that scripts may be written in. Adding one is one row here and one template. */
export interface Interpreter {
  /** What people call it. */
  readonly language: string;
  /** The interpreter string of a manifest: a program, perhaps with arguments. */
  readonly interpreter: string;
  /** Names of programs that are this interpreter, without version digits. */
  readonly programs: readonly string[];
  /** Extensions that mean it; the first is given to new files. */
  readonly extensions: readonly string[];
  /** Variables that make it behave: no buffering, UTF-8. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether its code is confined by Deno's own permission flags. */
  readonly deno?: boolean;
  /**
   * Whether code that reads its first line can be told from code that never reads: only the former may be started
   * before a call. Matches what such code must mention.
   */
  readonly reads: RegExp;
}

/** Every language with a row of its own; any other program on PATH works too. */
export const INTERPRETERS: readonly Interpreter[] = [
  {
    language: "Python",
    interpreter: "python3",
    programs: ["python", "pypy"],
    extensions: ["py"],
    env: { PYTHONUNBUFFERED: "1", PYTHONUTF8: "1", PYTHONDONTWRITEBYTECODE: "1" },
    reads: /\b(?:from|import)\s+skillz\b|\bstdin\b|\binput\s*\(/,
  },
  {
    language: "TypeScript (Deno)",
    interpreter: "deno run",
    programs: ["deno"],
    extensions: ["ts", "mts", "tsx", "jsx"],
    env: { DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
    deno: true,
    reads: /["']skillz["']|\bstdin\b/,
  },
  {
    language: "JavaScript (Node)",
    interpreter: "node",
    programs: ["node", "nodejs", "bun"],
    extensions: ["js", "mjs", "cjs"],
    env: { NO_COLOR: "1" },
    reads: /["']skillz["']|\bstdin\b|readFileSync\(\s*0|\/dev\/stdin/,
  },
  {
    language: "Ruby",
    interpreter: "ruby",
    programs: ["ruby"],
    extensions: ["rb"],
    env: { RUBYOPT: "-EUTF-8:UTF-8" },
    reads: /["']skillz["']|\bSTDIN\b|\$stdin|\bgets\b|\bARGF\b/i,
  },
  {
    language: "Bash",
    interpreter: "bash",
    programs: ["bash", "zsh", "ksh"],
    extensions: ["sh", "bash"],
    env: {},
    reads: /\bskillz\.sh\b|\bread\b|\/dev\/stdin|\bcat\b(?!\s+[^|\s-])|\bjq\b|\bmapfile\b/,
  },
  {
    language: "POSIX shell",
    interpreter: "sh",
    programs: ["sh", "dash", "ash"],
    extensions: ["sh"],
    env: {},
    reads: /\bskillz\.sh\b|\bread\b|\/dev\/stdin|\bcat\b(?!\s+[^|\s-])|\bjq\b/,
  },
  {
    language: "Perl",
    interpreter: "perl",
    programs: ["perl"],
    extensions: ["pl", "pm"],
    env: {},
    reads: /<>|<STDIN>|\bSTDIN\b/,
  },
  {
    language: "PHP",
    interpreter: "php",
    programs: ["php"],
    extensions: ["php"],
    env: {},
    reads: /\bSTDIN\b|php:\/\/stdin/i,
  },
];

/** The row of an interpreter string or program path; undefined for programs without one. */
export function findInterpreter(interpreter: string): Interpreter | undefined {
  const [program = ""] = interpreter.trim().split(/\s+/);
  const name = programName(program);
  return INTERPRETERS.find((row) => row.programs.includes(name));
}

/** Name of a program without folder, `.exe`, and version: `/usr/bin/python3.11` → `python`. */
export function programName(program: string): string {
  const base = program.split(/[/\\]/).at(-1) ?? "";
  return base.replace(/\.exe$/i, "").replace(/-?[\d.]+$/, "").toLowerCase();
}
