import { errorMessage } from "./lint/error_message.ts";
import { layers } from "./lint/layers_rule.ts";
import { maxArgs } from "./lint/max_args.ts";
import { noCommandOutsideProcess } from "./lint/no_command_outside_process.ts";
import { noEnvOutsideConfig } from "./lint/no_env_outside_config.ts";
import { noLintIgnoreWithoutReason } from "./lint/no_lint_ignore_without_reason.ts";
import { noModuleState } from "./lint/no_module_state.ts";
import { noSyncIo } from "./lint/no_sync_io.ts";

/** The rules of this house that no linter ships; `deno lint` runs them on every file. */
const plugin: Deno.lint.Plugin = {
  name: "skillz",
  rules: {
    "error-message": errorMessage,
    "layers": layers,
    "max-args": maxArgs,
    "no-command-outside-process": noCommandOutsideProcess,
    "no-env-outside-config": noEnvOutsideConfig,
    "no-lint-ignore-without-reason": noLintIgnoreWithoutReason,
    "no-module-state": noModuleState,
    "no-sync-io": noSyncIo,
  },
};

export default plugin;
