import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxChoice } from "../../src/base/sandbox_mode.ts";
import { networkEnvironment, readEnvironment, safeEnvironment } from "../../src/config/environment.ts";
import { EnvironmentStore } from "../../src/install/environment_store.ts";
import { installerEnvironment } from "../../src/install/installer_environment.ts";
import type { Runtime } from "../../src/install/installer.ts";
import { createJobRunner, type JobRunner } from "../../src/install/job_runner.ts";
import { runProcess } from "../../src/process/run.ts";
import { openSandbox } from "../../src/sandbox/open_sandbox.ts";
import { createProgramResolver, type ProgramResolver } from "../../src/sandbox/resolve_program.ts";
import { silentLogger } from "../support/silent_logger.ts";
import { tempDir } from "../support/temp_dir.ts";

/** Longest that an installation may take in a test. */
export const TIMEOUT_MS = 300_000;

/** A store of environments over real installers, in a folder of its own. */
export interface InstallBench extends AsyncDisposable {
  readonly path: string;
  readonly toolsDir: string;
  readonly run: JobRunner;
  readonly programs: ProgramResolver;
  readonly store: EnvironmentStore;
  /** The same over another TOOLS_DIR. */
  storeAt(toolsDir: string): EnvironmentStore;
  /** Finished and unfinished environments. */
  left(): Promise<string[]>;
  /** Runs a program in an environment and returns what it printed. */
  use(runtime: Runtime, args: readonly string[], program?: string): Promise<string>;
}

/** Makes a bench; `path` goes before the PATH of the tests. */
export async function installBench(
  { path = "", choice = "none", env = {} }: {
    path?: string;
    choice?: SandboxChoice;
    env?: Record<string, string>;
  } = {},
): Promise<InstallBench> {
  const dir = await tempDir();
  const toolsDir = join(dir.path, "tools");
  const home = join(dir.path, "home");
  for (const folder of [toolsDir, home]) await mkdir(folder);
  const own = { ...readEnvironment(), ...env };
  const safe = safeEnvironment(own);
  const PATH = path === "" ? safe.PATH ?? "" : path;
  const programs = createProgramResolver({
    safeEnvironment: { ...safe, PATH, HOME: home },
    denoPath: Deno.execPath(),
  });
  const sandbox = openSandbox({ choice, programs, logger: silentLogger });
  const settings = await installerEnvironment({ home, network: networkEnvironment(own) });
  const run = createJobRunner({
    sandbox,
    environment: { ...safe, PATH, ...settings.environment },
    readPaths: settings.readPaths,
  });
  const storeAt = (toolsDir: string) => new EnvironmentStore({ toolsDir, run, programs });
  return {
    path: dir.path,
    toolsDir,
    run,
    programs,
    store: storeAt(toolsDir),
    storeAt,
    left: async () =>
      (await readdir(join(toolsDir, ".envs")).catch(() => [])).filter((name) => name !== ".locks"),
    async use(runtime, args, program = runtime.program ?? "") {
      const spec = {
        command: program,
        args: [...runtime.args ?? [], ...args],
        cwd: dir.path,
        env: { PATH: safe.PATH ?? "", HOME: home, ...runtime.env },
      };
      const result = await runProcess(spec, { timeoutMs: 60_000 });
      return result.stdout.trim() || result.stderr.trim();
    },
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
