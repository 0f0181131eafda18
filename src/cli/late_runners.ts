import { late } from "../base/late.ts";
import { loadLate } from "../base/load_late.ts";
import type { TempRoot } from "../base/temp_root.ts";
import type { CodeRunner } from "../run/code/run_code.ts";
import type { Host } from "../run/host.ts";
import type { PipelineRunnerDeps } from "../run/pipeline/create_pipeline_runner.ts";
import type { Runner } from "../run/runner.ts";
import type { CodeParts } from "./compose_code.ts";
import type { ScriptParts } from "./compose_scripts.ts";
import type { WasmParts } from "./compose_wasm.ts";

/** Parts whose folder for temporary files is made when they are needed. */
type Late<T extends { tempRoot: string }> = Omit<T, "tempRoot"> & { readonly temp: TempRoot };

/** A runner that is loaded at its first call; before that it keeps nothing warm that could be dropped. */
function lateRunner(make: () => Promise<Runner>): Runner {
  return late<Runner>(make, { needless: ["forget"] });
}

/** Runners of scripts, loaded at the first call of a script. */
export function lateScripts({ temp, ...parts }: Late<ScriptParts>): (host: Host) => Runner {
  let made: Promise<(host: Host) => Runner> | undefined;
  const make = async () => {
    const url = new URL("./compose_scripts.ts", import.meta.url);
    return (await loadLate<typeof import("./compose_scripts.ts")>(url)).composeScripts({
      ...parts,
      tempRoot: await temp.path(),
    });
  };
  return (host) => lateRunner(async () => (await (made ??= make()))(host));
}

/** The runner of WebAssembly tools. */
export function lateWasm({ temp, ...parts }: Late<WasmParts>): Runner {
  return lateRunner(async () => {
    const url = new URL("./compose_wasm.ts", import.meta.url);
    return (await loadLate<typeof import("./compose_wasm.ts")>(url)).composeWasm({
      ...parts,
      tempRoot: await temp.path(),
    });
  });
}

/** The runner of pipelines. */
export function latePipelines(deps: PipelineRunnerDeps): Runner {
  return lateRunner(async () => {
    const url = new URL("../run/pipeline/create_pipeline_runner.ts", import.meta.url);
    const { createPipelineRunner } = await loadLate<
      typeof import("../run/pipeline/create_pipeline_runner.ts")
    >(url);
    return createPipelineRunner(deps);
  });
}

/** The runner of programs. Loads the compiler's package, several megabytes that most sessions never need. */
export function lateCode({ temp, ...parts }: Late<CodeParts>): CodeRunner {
  return late<CodeRunner>(async () => {
    const url = new URL("./compose_code.ts", import.meta.url);
    return (await loadLate<typeof import("./compose_code.ts")>(url)).composeCode({
      ...parts,
      tempRoot: await temp.path(),
    });
  });
}
