import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorText } from "../../base/errors.ts";
import { isJsonObject } from "../../base/json.ts";
import { runProcess, type RunResult } from "../../process/run.ts";
import { findInterpreter, programName } from "../../run/script/interpreters.ts";
import type { ProgramResolver } from "../../sandbox/resolve_program.ts";
import type { Finding } from "../../tools/check_folder.ts";
import { entryFile } from "../../tools/entry_file.ts";
import type { Manifest } from "../../tools/tool.ts";

/** What {@linkcode checkScript} needs. */
export interface CheckScriptDeps {
  readonly programs: ProgramResolver;
  /** The safe list of the server's environment. */
  readonly safeEnvironment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** How a language's own program reads a script without running anything of it. */
interface SyntaxCheck {
  /** Arguments for the file; with `stdin` the code comes that way. */
  args(path: string, code: string): { args: string[]; stdin?: boolean };
  /** The fault in one line; undefined when there is none. */
  fault(result: RunResult, path: string): string | undefined;
}

const TIMEOUT_MS = 30_000;
/** Compiles without running, and without a file of bytecode. */
const PYTHON = "import sys; compile(sys.stdin.buffer.read(), sys.argv[1], 'exec', dont_inherit=True)";

const CHECKS: Readonly<Record<string, SyntaxCheck>> = {
  Python: {
    args: (path) => ({ args: ["-I", "-S", "-c", PYTHON, path], stdin: true }),
    fault: ({ code, stderr }) => {
      if (code === 0) return undefined;
      const line = /, line (\d+)\s*\n/.exec(stderr)?.[1];
      return `${lastLine(stderr)}${line === undefined ? "" : ` (line ${line})`}`;
    },
  },
  "TypeScript (Deno)": {
    args: (path) => ({
      args: ["info", "--json", "--no-config", "--no-lock", "--no-remote", "--no-npm", path],
    }),
    fault: ({ stdout }, path) => denoFault(stdout, path),
  },
  "JavaScript (Node)": {
    args: (path, code) =>
      isModule(path, code)
        ? { args: ["--check", "--input-type=module", "-"], stdin: true }
        : { args: ["--check", path] },
    fault: (result) => {
      const line = /^\S*:(\d+)$/m.exec(result.stderr)?.[1];
      const error = /^\w*Error: .*/m.exec(result.stderr)?.[0];
      return result.code === 0
        ? undefined
        : `${error ?? lastLine(result.stderr)}${line === undefined ? "" : ` (line ${line})`}`;
    },
  },
  Ruby: { args: (path) => ({ args: ["-c", path] }), fault: firstLineOf("stderr") },
  Bash: { args: (path) => ({ args: ["-n", path] }), fault: firstLineOf("stderr") },
  "POSIX shell": { args: (path) => ({ args: ["-n", path] }), fault: firstLineOf("stderr") },
  PHP: { args: (path) => ({ args: ["-n", "-l", path] }), fault: firstLineOf("stdout") },
  // Perl has no check that runs nothing: its BEGIN blocks are run by `perl -c` too.
};

/** Findings about the syntax of a script tool's entry file. */
export async function checkScript(
  { path, manifest }: { path: string; manifest: Manifest },
  deps: CheckScriptDeps,
): Promise<Finding[]> {
  const entry = entryFile(manifest);
  const interpreter = manifest.interpreter ?? "";
  const check = CHECKS[findInterpreter(interpreter)?.language ?? ""];
  if (manifest.tool_type !== "script" || entry === undefined || check === undefined) return [];
  if (!isReadable(interpreter, entry)) return [];
  const finding = (level: Finding["level"], message: string): Finding[] => [
    { folder: basename(path), level, message, field: "entry_file" },
  ];
  try {
    const [name = ""] = interpreter.trim().split(/\s+/);
    const program = await deps.programs.resolve(name, { signal: deps.signal });
    const script = join(path, entry);
    const code = await readFile(script, "utf8");
    const { args, stdin } = check.args(script, code);
    const env = { ...deps.safeEnvironment, ...program.env, NO_COLOR: "1" };
    const result = await runProcess({ command: program.command, args, cwd: path, env }, {
      ...(stdin ? { input: code } : {}),
      timeoutMs: TIMEOUT_MS,
      signal: deps.signal,
    });
    const fault = check.fault(result, script)?.replaceAll(script, entry);
    return fault === undefined ? [] : finding("error", `${entry}: ${fault}`);
  } catch (error) {
    deps.signal.throwIfAborted();
    return finding("warning", `its syntax was not checked: ${errorText(error)}`);
  }
}

/** Node's check knows no types, and Bun has none. */
function isReadable(interpreter: string, entry: string): boolean {
  if (findInterpreter(interpreter)?.language !== "JavaScript (Node)") return true;
  return programName(interpreter.trim().split(/\s+/)[0] ?? "") !== "bun" && /\.[cm]?js$/.test(entry);
}

function firstLineOf(stream: "stdout" | "stderr"): SyntaxCheck["fault"] {
  return (result) => {
    if (result.code === 0) return undefined;
    return result[stream].trim().split("\n").find((line) => line.trim() !== "") ?? `exit code ${result.code}`;
  };
}

function isModule(path: string, code: string): boolean {
  if (path.endsWith(".mjs")) return true;
  return !path.endsWith(".cjs") && /^\s*(?:import|export)\b(?!\s*\()/m.test(code);
}

function denoFault(output: string, path: string): string | undefined {
  const info: unknown = JSON.parse(output);
  const modules = isJsonObject(info) && Array.isArray(info.modules) ? info.modules : [];
  for (const module of modules) {
    if (!isJsonObject(module) || typeof module.error !== "string") continue;
    // What must be fetched is looked at when the tool is made.
    if (typeof module.specifier !== "string" || !module.specifier.startsWith("file:")) continue;
    const place = /:(\d+):(\d+)\s*$/.exec(module.error);
    const [first = ""] = module.error.split("\n");
    return place ? `${first} (line ${place[1]}, column ${place[2]})` : first.replace(`file://${path}`, "it");
  }
  return undefined;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
