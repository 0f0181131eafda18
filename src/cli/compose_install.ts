import type { BuildRustDeps } from "../author/rust/rust_build.ts";
import { RustToolchains } from "../author/rust/toolchain.ts";
import type { TempRoot } from "../base/temp_root.ts";
import type { Config } from "../config/config.ts";
import { EnvironmentStore } from "../install/environment_store.ts";
import { installerEnvironment } from "../install/installer_environment.ts";
import { createJobRunner, type JobRunner } from "../install/job_runner.ts";
import { ToolEnvironments } from "../install/tool_environments.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** Everything that installs and compiles. */
export interface Install {
  /** Dependencies of script tools. */
  readonly environments: Pick<ToolEnvironments, "runtime" | "prepare">;
  /** What compiling Rust needs; looks for the user's settings at the first time. */
  rust(): Promise<BuildRustDeps>;
}

/** What {@linkcode composeInstall} joins. */
export interface InstallParts {
  readonly config: Config;
  readonly sandbox: Sandbox;
  readonly programs: ProgramResolver;
  /** For temporary files. */
  readonly temp: TempRoot;
}

/** Builds installers and compilers; nothing is looked for before it is needed. */
export function composeInstall({ config, sandbox, programs, temp }: InstallParts): Install {
  let settings: ReturnType<typeof findSettings> | undefined;
  const run: JobRunner = async (job, options) => {
    const { environment, readPaths } = await (settings ??= findSettings(config));
    const all = { ...config.safeEnvironment, ...environment };
    return await createJobRunner({ sandbox, environment: all, readPaths, scratchRoot: await temp.path() })(
      job,
      options,
    );
  };
  const toolchains = new RustToolchains({
    env: { ...config.safeEnvironment, ...config.hostEnvironment.rust, HOME: config.home },
    home: config.home,
  });
  return {
    environments: new ToolEnvironments(new EnvironmentStore({ toolsDir: config.toolsDir, run, programs })),
    async rust() {
      const { cargoConfig } = await (settings ??= findSettings(config));
      return {
        toolsDir: config.toolsDir,
        run,
        toolchains,
        ...(cargoConfig === undefined ? {} : { cargoConfig }),
      };
    },
  };
}

/** Where installers look for registries, found out at the first need. */
function findSettings({ home, networkEnvironment, installerEnvironment: registries }: Config) {
  return installerEnvironment({ home, network: { ...networkEnvironment, ...registries } });
}
