import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { BuildRustDeps } from "../author/rust/rust_build.ts";
import { RustToolchains } from "../author/rust/toolchain.ts";
import type { Config } from "../config/config.ts";
import { EnvironmentStore } from "../install/environment_store.ts";
import { createJobRunner, type JobRunner } from "../install/job_runner.ts";
import { ToolEnvironments } from "../install/tool_environments.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** Everything that installs and compiles. */
export interface Install {
  readonly environments: ToolEnvironments;
  readonly rust: BuildRustDeps;
}

/** What {@linkcode composeInstall} joins. */
export interface InstallParts {
  readonly config: Config;
  readonly sandbox: Sandbox;
  readonly programs: ProgramResolver;
}

/** Builds installers and compilers; nothing is looked for before it is needed. */
export function composeInstall({ config, sandbox, programs }: InstallParts): Install {
  let runner: Promise<JobRunner> | undefined;
  const run: JobRunner = async (job, options) => {
    runner ??= makeRunner(config, sandbox);
    return await (await runner)(job, options);
  };
  return {
    environments: new ToolEnvironments(new EnvironmentStore({ toolsDir: config.toolsDir, run, programs })),
    rust: {
      toolsDir: config.toolsDir,
      run,
      toolchains: new RustToolchains({
        env: { ...config.safeEnvironment, ...config.hostEnvironment.rust, HOME: config.home },
        home: config.home,
      }),
    },
  };
}

async function makeRunner(config: Config, sandbox: Sandbox): Promise<JobRunner> {
  const { safeEnvironment, networkEnvironment, installerEnvironment } = config;
  const files = await userFiles(config.home);
  const environment = { ...safeEnvironment, ...networkEnvironment, ...files, ...installerEnvironment };
  return createJobRunner({
    sandbox,
    environment,
    readPaths: Object.entries(environment).filter(([name]) => POINTS_AT_FILE.test(name)).map(([, path]) =>
      path
    ),
  });
}

/** Variables that name a file which installers read. */
const POINTS_AT_FILE =
  /^(SSL_CERT_|(REQUESTS|CURL)_CA_BUNDLE|NODE_EXTRA_CA_CERTS|PIP_C|NPM_CONFIG_(USERCONFIG|CAFILE)|UV_CONFIG_FILE|DENO_CERT|CARGO_HTTP_CAINFO|GIT_SSL)/i;

/** The user's own settings of the registries, because installers run with another home folder. */
async function userFiles(home: string): Promise<Record<string, string>> {
  const known = {
    PIP_CONFIG_FILE: [join(home, ".config", "pip", "pip.conf"), join(home, ".pip", "pip.conf")],
    NPM_CONFIG_USERCONFIG: [join(home, ".npmrc")],
    UV_CONFIG_FILE: [join(home, ".config", "uv", "uv.toml")],
  };
  const found: Record<string, string> = {};
  for (const [name, paths] of Object.entries(known)) {
    for (const path of paths) {
      if (found[name] === undefined && await stat(path).then((info) => info.isFile(), () => false)) {
        found[name] = path;
      }
    }
  }
  return found;
}
