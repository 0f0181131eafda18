import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  hostEnvironment,
  networkEnvironment,
  readEnvironment,
  safeEnvironment,
} from "../../src/config/environment.ts";
import { buildRust } from "../../src/author/build_rust.ts";
import type { BuildRustDeps, BuildRustOptions, BuiltRust } from "../../src/author/rust/rust_build.ts";
import { RustToolchains } from "../../src/author/rust/toolchain.ts";
import type { SandboxChoice } from "../../src/base/sandbox_mode.ts";
import { installerEnvironment } from "../../src/install/installer_environment.ts";
import { createJobRunner } from "../../src/install/job_runner.ts";
import { openSandbox } from "../../src/sandbox/open_sandbox.ts";
import { createProgramResolver } from "../../src/sandbox/resolve_program.ts";
import { silentLogger } from "../support/silent_logger.ts";
import { tempDir } from "../support/temp_dir.ts";

/** Builds Rust for real, in a TOOLS_DIR of its own. */
export interface RustBench extends AsyncDisposable {
  readonly toolsDir: string;
  readonly deps: BuildRustDeps;
  build(code: string, dependencies?: readonly string[], options?: BuildRustOptions): Promise<BuiltRust>;
  /** Folders of builds that are under way, and sources that were left. */
  leftovers(): Promise<string[]>;
}

/** Makes a bench. */
export async function rustBench(choice: SandboxChoice = "none"): Promise<RustBench> {
  const dir = await tempDir();
  const toolsDir = join(dir.path, "tools");
  await mkdir(toolsDir);
  const env = readEnvironment();
  const safe = { ...safeEnvironment(env), ...hostEnvironment(env).rust };
  const programs = createProgramResolver({
    safeEnvironment: { ...safe, HOME: dir.path },
    denoPath: Deno.execPath(),
  });
  const sandbox = openSandbox({ choice, programs, logger: silentLogger });
  const settings = await installerEnvironment({ home: dir.path, network: networkEnvironment(env) });
  const deps: BuildRustDeps = {
    toolsDir,
    toolchains: new RustToolchains({ env: safe, home: env.HOME ?? "/" }),
    run: createJobRunner({
      sandbox,
      environment: { ...safe, ...settings.environment },
      readPaths: settings.readPaths,
    }),
  };
  return {
    toolsDir,
    deps,
    build: (code, dependencies = [], options = {}) =>
      buildRust({ name: "my tool!", code, dependencies }, deps, { timeoutMs: 300_000, ...options }),
    async leftovers() {
      const projects = join(toolsDir, ".cache/rust/projects");
      const names = await readdir(projects, { recursive: true }).catch(() => []);
      return names.filter((name) => name.includes(".tmp") || name.endsWith("src.rs"));
    },
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
