import type { Logger } from "../base/log.ts";
import type { Config } from "../config/config.ts";
import type { StrayCollector } from "../process/spawn.ts";
import type { Host } from "../run/host.ts";
import type { Runner } from "../run/runner.ts";
import { createScriptRunner } from "../run/script/create_script_runner.ts";
import { createHelpers } from "../run/script/helper_folder.ts";
import type { ToolEnvironments } from "../run/script/tool_environment.ts";
import type { ProgramResolver } from "../sandbox/resolve_program.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { createStaticGraph } from "../sandbox/static_graph.ts";
import type { ComposedPolicy } from "./compose_policy.ts";

/** What {@linkcode composeScripts} joins. */
export interface ScriptParts {
  readonly config: Config;
  readonly policy: ComposedPolicy;
  readonly logger: Logger;
  readonly sandbox: Sandbox;
  readonly programs: ProgramResolver;
  /** Dependencies of script tools. */
  readonly environments: ToolEnvironments;
  /** Ends what ended tools left running. */
  readonly strays: StrayCollector;
  /** Where the private folders of calls are made. */
  readonly tempRoot: string;
}

/** Makes runners of scripts, each serving what its scripts ask through the given host. */
export function composeScripts(parts: ScriptParts): (host: Host) => Runner {
  const { config, policy, tempRoot, ...rest } = parts;
  const shared = {
    ...rest,
    scratchRoot: tempRoot,
    settings: { ...config, defaultProfile: policy.defaultProfile },
    helpers: createHelpers(config.toolsDir, { fallbacks: [config.cacheDir, tempRoot] }),
    moduleGraph: createStaticGraph(config),
  };
  return (host) => createScriptRunner({ ...shared, host });
}
