import { mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { removeFolder } from "./remove_folder.ts";
import { runProcess, type RunResult } from "../process/run.ts";
import { resolveLimits } from "../sandbox/limits.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** An installer or compiler to be run to its end. */
export interface Job {
  /** What the sandbox takes it for. */
  readonly kind: "install" | "build";
  /** Absolute path of the program. */
  readonly command: string;
  /** Its arguments, each handed over as it is. */
  readonly args: readonly string[];
  /** Folder to start in. */
  readonly cwd: string;
  /** Variables besides those of the runner. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it may read and write, besides its working folder and scratch folder. */
  readonly read?: readonly string[];
  /** What it may change, besides its working folder and scratch folder. */
  readonly write?: readonly string[];
  /** Whether it may use the network. */
  readonly net: boolean;
  /** Paths that its program can't run without; found out when absent. */
  readonly needs?: readonly string[];
  /** Most milliseconds it may take. */
  readonly timeoutMs: number;
}

/** Options of {@linkcode JobRunner}. */
export interface JobOptions {
  /** Stops the job with all its processes. */
  readonly signal?: AbortSignal | undefined;
  /** Hears each line of both streams. */
  readonly onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** Most bytes of stdout and stderr that are kept. */
  readonly outputBytes?: number;
}

/** How a job ended, with the cause that the sandbox knows. */
export interface JobResult extends RunResult {
  /** What the sandbox knows of a failure. */
  readonly explanation?: string;
}

/** Runs jobs confined, with a clean environment and a home folder that is gone afterwards. */
export type JobRunner = (job: Job, options?: JobOptions) => Promise<JobResult>;

/** What {@linkcode createJobRunner} needs. */
export interface JobRunnerDeps {
  /** What confines jobs. */
  readonly sandbox: Sandbox;
  /**
   * The whole environment of jobs but for HOME and TMPDIR: the safe list, TLS and proxy variables, and what points
   * installers at the registry of this machine. Nothing of the server's own is added.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** Files that these variables point at. */
  readonly readPaths?: readonly string[];
  /**
   * Folder for scratch folders.
   * @default the system's folder for temporary files
   */
  readonly scratchRoot?: string;
}

/** Compilers need more than tools: a linker maps gigabytes, cargo starts one process for each core. */
const LIMITS = { memory_mb: 6144, processes: 512, open_files: 8192, file_bytes: 4 * 1024 ** 3 };
const KEPT_OUTPUT = 1024 * 1024;
/** CPU time counts on all cores together. */
const CORES = 8;

/** Makes the one way to run installers and compilers. */
export function createJobRunner(deps: JobRunnerDeps): JobRunner {
  return async (job, options = {}) => {
    await using undo = new AsyncDisposableStack();
    const root = await realpath(deps.scratchRoot ?? tmpdir());
    const scratch = join(root, `skillz-${job.kind}-${crypto.randomUUID().slice(0, 13)}`);
    await mkdir(scratch, { mode: 0o700 });
    undo.defer(() => removeFolder(scratch));
    const settings = Object.entries(deps.environment);
    const foreign = new Set(settings.filter(([name]) => isForeign(name, job)).map(([name]) => name));
    const others = settings.filter(([name]) => foreign.has(name)).map(([, value]) => value);
    const own = Object.fromEntries(settings.filter(([name]) => !foreign.has(name)));
    const env = { ...own, ...job.env, HOME: scratch, TMPDIR: scratch };
    const read = [...job.read ?? [], ...(deps.readPaths ?? []).filter((path) => !others.includes(path))];
    const signal = options.signal ?? new AbortController().signal;
    const command = undo.use(
      await deps.sandbox.wrap({
        kind: job.kind,
        spec: { command: job.command, args: job.args, cwd: job.cwd, env },
        access: {
          net: job.net ? true : [],
          read: await existing(read),
          write: await existing([job.cwd, ...job.write ?? [], scratch]),
          run: [],
          sys: [],
          ffi: false,
          import: [],
        },
        limits: resolveLimits({ ...LIMITS, timeout_ms: job.timeoutMs, cpu_ms: job.timeoutMs * CORES }),
        scratch,
        ...(job.needs === undefined ? {} : { needs: job.needs }),
      }, { signal }),
    );
    const result = await runProcess(command.spec, {
      timeoutMs: job.timeoutMs,
      signal,
      stdoutLimit: options.outputBytes ?? KEPT_OUTPUT,
      stderrLimit: options.outputBytes ?? KEPT_OUTPUT,
      onStart: (pid) => command.started?.(pid),
      ...(options.onLine ? { onLine: options.onLine } : {}),
    });
    const explanation = result.code === 0 ? undefined : await command.explain(result);
    return { ...result, ...(explanation === undefined ? {} : { explanation }) };
  };
}

/** Whether a variable is of an installer other than the one that runs: its settings often hold a token. */
function isForeign(variable: string, { kind, command }: Job): boolean {
  const python = /^(python|pypy|uv)/.test(basename(command));
  if (/^npm_config_/i.test(variable)) return kind === "build" || python;
  return /^(pip|uv)_/i.test(variable) && (kind === "build" || !python);
}

/** Real paths of those that are there. */
async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)));
  return [...new Set(found.filter((path) => path !== undefined))];
}
