import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorText, SkillzError } from "../base/errors.ts";
import { lockFile } from "../base/file_lock.ts";
import { sha256 } from "../base/hash.ts";
import type { ProgramResolver, ResolvedProgram } from "../sandbox/resolve_program.ts";
import {
  type EnvironmentFacts,
  ENVIRONMENTS_FOLDER,
  FACTS_FILE,
  LOCKS_FOLDER,
  readFacts,
} from "./_environment_facts.ts";
import { markUsed } from "./_mark_used.ts";
import { onDisk } from "../tools/on_disk.ts";
import { deno } from "./deno.ts";
import type { Installer, Runtime } from "./installer.ts";
import type { JobRunner } from "./job_runner.ts";
import type { Language } from "./language.ts";
import { node } from "./node.ts";
import { type Dependency, parseDependencies } from "./parse_dependencies.ts";
import { python } from "./python.ts";
import { removeFolder } from "./remove_folder.ts";

/** An installed set of dependencies. */
export interface Environment extends Runtime {
  /** Everything in it with its version, to be kept with the tool. */
  readonly lock: string;
}

/** What is to be installed. */
export interface EnvironmentRequest {
  /** Whose packages they are. */
  readonly language: Language;
  /** As in the manifest. */
  readonly dependencies: readonly string[];
  /** The interpreter that will use it, e.g. `python3.12`. */
  readonly interpreter: string;
  /** What an earlier installation was resolved to; the same versions are installed then. */
  readonly lock?: string | undefined;
}

/** Options of {@linkcode EnvironmentStore.ensure}. */
export interface EnsureOptions {
  /** Ends the installation with all its processes. */
  readonly signal?: AbortSignal | undefined;
  /** Hears what is being done. */
  readonly progress?: (message: string) => void;
  /**
   * Most time for each step of it.
   * @default 600000
   */
  readonly timeoutMs?: number;
}

/** What {@linkcode EnvironmentStore} needs. */
export interface EnvironmentStoreDeps {
  /** TOOLS_DIR, below which environments and downloads are kept. */
  readonly toolsDir: string;
  /** Runs installers, confined. */
  readonly run: JobRunner;
  /** Finds interpreters and installers. */
  readonly programs: ProgramResolver;
}

const INSTALLERS = { python, node, deno } satisfies Record<Language, Installer>;
const DEFAULT_TIMEOUT_MS = 600_000;
interface Wanted {
  readonly installer: Installer;
  readonly dependencies: readonly Dependency[];
  readonly interpreter: ResolvedProgram;
  readonly lock: string | undefined;
}

/**
 * Environments of tools below `TOOLS_DIR/.envs`, one for each set of dependencies and interpreter; identical sets share
 * one. Safe with several servers on one folder.
 */
export class EnvironmentStore {
  readonly #deps: EnvironmentStoreDeps;
  readonly #folder: string;

  /** Touches nothing yet. */
  constructor(deps: EnvironmentStoreDeps) {
    this.#deps = deps;
    this.#folder = join(deps.toolsDir, ENVIRONMENTS_FOLDER);
  }

  /**
   * The environment of a set of dependencies, installed if it is not there. A failed or cancelled installation leaves
   * nothing.
   *
   * @throws {SkillzError} `invalid_input` for a dependency that is refused, `failed` with a short reason,
   * `unavailable` when the installer is missing, `timeout`, `cancelled`.
   */
  async ensure(request: EnvironmentRequest, options: EnsureOptions = {}): Promise<Environment> {
    const { signal } = options;
    const dependencies = parseDependencies(request.language, request.dependencies);
    const interpreter = await this.#deps.programs.resolve(request.interpreter, {
      signal: signal ?? new AbortController().signal,
    });
    const installer: Installer = INSTALLERS[request.language];
    const wanted = { installer, dependencies, interpreter, lock: request.lock };
    const key = (await sha256(JSON.stringify([
      request.language,
      request.language === "deno" ? "" : interpreter.command,
      dependencies.map(({ text }) => text),
    ]))).slice(0, 16);
    const shared = join(this.#folder, key);
    const ready = await this.#ready(shared, wanted);
    if (ready !== undefined) return ready;
    // A lock may have come with a tool from elsewhere, so nobody without that very lock may get what it names.
    const own = request.lock === undefined
      ? shared
      : `${shared}-${(await sha256(request.lock)).slice(0, 16)}`;
    return await onDisk(this.#deps.toolsDir, () => this.#make(own, wanted, options));
  }

  async #ready(
    directory: string,
    { installer, dependencies, lock }: Wanted,
  ): Promise<Environment | undefined> {
    const facts = await readFacts(directory);
    if (facts === undefined || facts.path !== directory) return undefined;
    if (lock !== undefined && facts.lock !== lock) return undefined;
    if (!(await installer.works?.(directory) ?? true)) return undefined;
    if (!(await markUsed(directory))) return undefined;
    return { ...installer.runtime(directory, dependencies), lock: facts.lock };
  }

  async #make(directory: string, wanted: Wanted, options: EnsureOptions): Promise<Environment> {
    const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    const locks = join(this.#folder, LOCKS_FOLDER);
    await mkdir(locks, { recursive: true });
    const name = directory.slice(this.#folder.length + 1);
    await using _lock = await lockFile(join(locks, name), { timeoutMs, ...(signal ? { signal } : {}) });
    // Somebody else may have made it meanwhile, or it was moved and only has to be mended.
    const ready = await this.#ready(directory, wanted) ?? await this.#mended(directory, wanted);
    if (ready !== undefined) return ready;
    const aside = join(this.#folder, `.${crypto.randomUUID()}.tmp`);
    await mkdir(aside);
    try {
      const lock = await this.#install(aside, wanted, { ...options, timeoutMs });
      await wanted.installer.relocate?.(aside, aside);
      await this.#describe(aside, { directory, wanted, lock });
      await removeFolder(directory);
      await rename(aside, directory);
      await wanted.installer.relocate?.(directory, aside);
      return { ...wanted.installer.runtime(directory, wanted.dependencies), lock };
    } finally {
      await removeFolder(aside);
    }
  }

  async #install(
    directory: string,
    wanted: Wanted,
    options: EnsureOptions & { timeoutMs: number },
  ): Promise<string> {
    const { programs, run, toolsDir } = this.#deps;
    const cache = join(toolsDir, ".cache");
    await Promise.all(["pip", "uv", "npm"].map((name) => mkdir(join(cache, name), { recursive: true })));
    const signal = options.signal ?? new AbortController().signal;
    return await wanted.installer.install({
      directory,
      dependencies: wanted.dependencies,
      interpreter: wanted.interpreter,
      cache,
      run,
      find: (name) => programs.resolve(name, { signal }).catch(() => undefined),
      signal,
      progress: options.progress ?? (() => {}),
      timeoutMs: options.timeoutMs,
      ...(wanted.lock === undefined ? {} : { lock: wanted.lock }),
    });
  }

  /** A finished environment whose folder was moved with TOOLS_DIR. */
  async #mended(directory: string, wanted: Wanted): Promise<Environment | undefined> {
    const facts = await readFacts(directory);
    if (facts === undefined || facts.path === directory) return undefined;
    try {
      await wanted.installer.relocate?.(directory, facts.path);
      await this.#describe(directory, { directory, wanted, lock: facts.lock });
    } catch (error) {
      throw new SkillzError(
        "unavailable",
        `Cannot mend the environment that was moved: ${errorText(error)}`,
        {
          hint: `Remove ${directory}, it is installed again then`,
        },
      );
    }
    return await this.#ready(directory, wanted);
  }

  async #describe(
    folder: string,
    { directory, wanted, lock }: { directory: string; wanted: Wanted; lock: string },
  ): Promise<void> {
    const facts: EnvironmentFacts = {
      path: directory,
      language: wanted.installer.language,
      dependencies: wanted.dependencies.map(({ text }) => text),
      lock,
    };
    await rm(join(folder, FACTS_FILE), { force: true });
    await writeFile(join(folder, FACTS_FILE), JSON.stringify(facts));
  }
}
