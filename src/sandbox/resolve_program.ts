import { lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { SkillzError } from "../base/errors.ts";
import { isInside } from "../base/is_inside.ts";
import { findProgram, isExecutable } from "../process/find_program.ts";
import { askInterpreter } from "./_ask_interpreter.ts";
import { behindShim } from "./_behind_shim.ts";
import { libraries } from "./_libraries.ts";
import { outermost } from "./paths.ts";
import { besideProgram, isTrusted } from "./_trusted.ts";
import { isSystemPath } from "./system_paths.ts";

/** A program as a sandbox can start it. */
export interface ResolvedProgram {
  /** Absolute path of what is really started: no shim, no wrapper. */
  readonly command: string;
  /** Arguments that the interpreter string carried, e.g. `-u`. */
  readonly args: readonly string[];
  /** Real paths outside the system folders that it can't run without; to be shown read-only. */
  readonly needs: readonly string[];
  /** Variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
}

/** Finds programs; what it finds out is kept until the file changes. */
export interface ProgramResolver {
  /**
   * Resolves an interpreter string: a name on PATH or an absolute path, with arguments after blanks.
   * Throws `SkillzError("unavailable")` when there is no such program, `invalid_input` for a relative path.
   */
  resolve(program: string, options: { signal: AbortSignal }): Promise<ResolvedProgram>;
}

/** Options of {@linkcode createProgramResolver}. */
export interface ProgramResolverOptions {
  /** The safe list of the server's environment; PATH is searched, the rest goes to interpreters that are asked. */
  safeEnvironment: Readonly<Record<string, string>>;
  /** The Deno that runs tools, which `deno` always means: a path, or a name on PATH. */
  denoPath: string;
  /** Gives a Deno where PATH has none, if it can. */
  spareDeno?: () => Promise<string | undefined>;
}

/** A resolver over the given PATH. */
export function createProgramResolver(options: ProgramResolverOptions): ProgramResolver {
  const known = new Map<string, { stamp: string; found: Promise<Found> }>();
  const find = async (path: string, signal: AbortSignal): Promise<Found> => {
    const { mtimeMs, ino } = await stat(path);
    const stamp = `${mtimeMs}:${ino}`;
    const entry = known.get(path);
    if (entry?.stamp === stamp) return await entry.found;
    const found = examine(path, { ...options, signal });
    known.set(path, { stamp, found });
    // A failure (an abort above all) is not knowledge.
    found.catch(() => known.get(path)?.found === found && known.delete(path));
    return await found;
  };
  return {
    async resolve(program, { signal }) {
      const { name, args } = await splitProgram(program);
      const path = await locate(name, options);
      return { ...await find(path, signal), args };
    },
  };
}

type Found = Omit<ResolvedProgram, "args">;

interface ExamineOptions extends ProgramResolverOptions {
  signal: AbortSignal;
  /** How many shims and scripts led here. */
  depth?: number;
  /** Whether what led here may be started outside of a sandbox. */
  trusted?: boolean;
}

/** A shim of a shim of a script is the deepest that is met; more is a loop. */
const MAX_DEPTH = 4;

/** The Deno that runs tools. */
async function findDeno({ denoPath, safeEnvironment, spareDeno }: ProgramResolverOptions): Promise<string> {
  const byName = !isAbsolute(denoPath);
  const path = byName ? await findProgram(denoPath, safeEnvironment.PATH ?? "") : denoPath;
  if (path !== undefined && await isExecutable(path)) return path;
  const spare = byName ? await spareDeno?.() : undefined;
  if (spare !== undefined) return spare;
  const state = byName ? "it is not on PATH" : `"${denoPath}" is no program`;
  throw new SkillzError("unavailable", `Cannot run tools with Deno: ${state}`, {
    hint: byName
      ? "Install it (npm install -g deno, pip install deno, or docs.deno.com), or set SKILLZ_DENO to its path"
      : "Set SKILLZ_DENO to a Deno, or leave it away",
  });
}

/** An interpreter string as program and arguments; an existing absolute path with blanks stays whole. */
async function splitProgram(program: string): Promise<{ name: string; args: string[] }> {
  const text = program.trim();
  if (isAbsolute(text) && await isExecutable(text)) return { name: text, args: [] };
  const [name = "", ...args] = text.split(/\s+/);
  return { name, args };
}

async function locate(name: string, options: ProgramResolverOptions): Promise<string> {
  if (name === "deno") return await findDeno(options);
  const absolute = isAbsolute(name);
  if (name === "" || (!absolute && /[/\\]/.test(name))) {
    throw new SkillzError(
      "invalid_input",
      `Cannot find program ${
        JSON.stringify(name)
      }: it is a relative path, must be a name on PATH or absolute`,
    );
  }
  const path = absolute ? name : await findProgram(name, options.safeEnvironment.PATH ?? "");
  if (path !== undefined && await isExecutable(path)) return path;
  throw new SkillzError(
    "unavailable",
    `Cannot find program ${JSON.stringify(name)}: ${
      absolute ? "no such file that may be started" : "it is not on PATH"
    }`,
    {
      hint: "Install it, or name another interpreter",
    },
  );
}

/** Finds out what `path` really is and what it needs. */
async function examine(path: string, options: ExamineOptions): Promise<Found> {
  const real = await realpath(path);
  // Most programs: part of the system, nothing to find out.
  if (isSystemPath(real) && isSystemPath(path) && !(await shebang(real))?.outside) {
    return { command: real, needs: [], env: {} };
  }
  const trusted = options.trusted || await isTrusted(path, options.safeEnvironment.PATH ?? "");
  const deeper = { ...options, trusted, depth: (options.depth ?? 0) + 1 };
  if (deeper.depth > MAX_DEPTH) return { command: real, needs: [path, real], env: {} };
  const hidden = trusted ? await behindShim(path, options) : undefined;
  if (hidden !== undefined) return await examine(hidden, deeper);
  const answer = trusted ? await askInterpreter(path, options) : undefined;
  // An untrusted name of a program, as a venv has it: what that program is, and what lies beside both.
  if (!trusted && real !== path) {
    const behind = await examine(real, deeper);
    const needs = [...await linkChain(path), ...await besideProgram([path]), ...behind.needs];
    return { command: path, needs: outermost(needs.filter((need) => !isSystemPath(need))), env: behind.env };
  }
  const command = answer?.command ?? real;
  const script = answer === undefined ? await shebang(real) : undefined;
  const below = script === undefined ? undefined : await examineShebang(script.interpreter, deeper);
  const paths = [
    // A script or binary is started by the name it was found under; an interpreter by the one it gave.
    ...(answer === undefined ? await linkChain(path) : []),
    ...await linkChain(command),
    ...(answer?.needs ?? (trusted ? [] : await besideProgram([real]))),
    ...(below?.needs ?? []),
    ...(script === undefined ? await libraries(await realpath(command), options) : []),
  ];
  return {
    command,
    needs: outermost(paths.filter((need) => !isSystemPath(need))),
    env: { ...below?.env, ...answer?.env },
  };
}

async function examineShebang(interpreter: string, options: ExamineOptions): Promise<Found | undefined> {
  try {
    return await examine(await locate(interpreter, options), options);
  } catch {
    return undefined;
  }
}

/** What a script names in its first line; undefined for other files. */
async function shebang(path: string): Promise<{ interpreter: string; outside: boolean } | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(256), 0, 256, 0);
    const [line = ""] = new TextDecoder().decode(buffer.subarray(0, bytesRead)).split("\n");
    const [first, ...rest] = /^#!\s*(.*)$/.exec(line)?.[1]?.trim().split(/\s+/) ?? [];
    if (!first) return undefined;
    const viaEnv = /(^|\/)env$/.test(first);
    const interpreter = viaEnv
      ? rest.find((word) => !word.startsWith("-") && !word.includes("=")) ?? first
      : first;
    return { interpreter, outside: !viaEnv && !isSystemPath(interpreter) };
  } finally {
    await file.close();
  }
}

/**
 * The files on the way from `path` to what it links to. Where a *folder* on the way is a link (uv and nvm keep aliases of
 * their versions), the path through it is a name of its own that must exist inside as well.
 */
async function linkChain(path: string): Promise<string[]> {
  const chain: string[] = [];
  let at = path;
  for (let hops = 0; hops < 16 && !chain.includes(at); hops++) {
    chain.push(at);
    if (!(await lstat(at)).isSymbolicLink()) break;
    at = resolve(dirname(at), await readlink(at));
  }
  const real = await realpath(path);
  return chain.some((step) => isInside(real, step)) ? chain : [...chain, real];
}
