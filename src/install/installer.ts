import type { ResolvedProgram } from "../sandbox/resolve_program.ts";
import type { JobRunner } from "./job_runner.ts";
import type { Language } from "./language.ts";
import type { Dependency } from "./parse_dependencies.ts";

/** What one installation starts from. */
export interface Installation {
  /** Empty folder to install into; it may be renamed afterwards. */
  readonly directory: string;
  /** What to install. */
  readonly dependencies: readonly Dependency[];
  /** What an earlier installation was resolved to. */
  readonly lock?: string;
  /** The interpreter that will use it. */
  readonly interpreter: ResolvedProgram;
  /** Folder of what was downloaded, shared by all. */
  readonly cache: string;
  /** Runs installers, confined. */
  readonly run: JobRunner;
  /** Finds a program; undefined where it is missing. */
  find(name: string): Promise<ResolvedProgram | undefined>;
  /** Ends it with all its processes. */
  readonly signal?: AbortSignal | undefined;
  /** Tells what is being done. */
  progress(message: string): void;
  /** Most time for each step. */
  readonly timeoutMs: number;
}

/** What an environment changes about how a tool is started. */
export interface Runtime {
  /** Folder that holds it; tools may read it. */
  readonly directory: string;
  /** Program to start instead of the interpreter. */
  readonly program?: string;
  /** Arguments before the script's path. */
  readonly args?: readonly string[];
  /** Variables to add. */
  readonly env?: Readonly<Record<string, string>>;
  /** Deno: the lock file. */
  readonly lockFile?: string;
  /** Deno: what was installed, as `npm:` and `jsr:` specifiers. */
  readonly packages?: readonly string[];
}

/** Installs the packages of one language. */
export interface Installer {
  /** Whose packages it installs. */
  readonly language: Language;
  /** Installs, and returns the lock: everything with its version. Throws `SkillzError` with a short reason. */
  install(installation: Installation): Promise<string>;
  /** How an installed environment is used. */
  runtime(directory: string, dependencies: readonly Dependency[]): Runtime;
  /** Mends what holds the folder's own path after it was moved from `from`. */
  relocate?(directory: string, from: string): Promise<void>;
  /** Whether what it was made for is still there. */
  works?(directory: string): Promise<boolean>;
}
