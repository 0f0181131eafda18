import type { Config } from "../config/config.ts";
import type { StrayCollector } from "../process/spawn.ts";
import type { Runner } from "../run/runner.ts";
import { engineCommand } from "../run/wasm/engine_command.ts";
import { createLoadAccess } from "../run/wasm/load_access.ts";
import { createWasmRunner } from "../run/wasm/wasm_runner.ts";
import type { ComposedPolicy } from "./compose_policy.ts";

/** What {@linkcode composeWasm} joins. */
export interface WasmParts {
  readonly config: Config;
  readonly policy: ComposedPolicy;
  /** Ends what ended tools left running. */
  readonly strays: StrayCollector;
  /** Where the private folders of calls are made. */
  readonly tempRoot: string;
}

/** The runner of WebAssembly tools; files are looked at only when a module looks for one. */
export function composeWasm({ config, policy, strays, tempRoot }: WasmParts): Runner {
  const { defaultProfile } = policy;
  return createWasmRunner({
    engine: engineCommand({
      denoPath: config.denoPath,
      env: {
        ...config.safeEnvironment,
        ...config.networkEnvironment,
        ...config.hostEnvironment.deno,
        HOME: config.home,
      },
    }),
    secrets: config.secrets,
    ...(defaultProfile.env === undefined ? {} : { secretsByDefault: defaultProfile.env }),
    safeEnvironment: config.safeEnvironment,
    strays,
    scratchRoot: tempRoot,
    loadAccess: createLoadAccess({ ...config, defaultProfile }),
  });
}
