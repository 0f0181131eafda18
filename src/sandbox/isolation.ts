import type { SandboxMode } from "../base/sandbox_mode.ts";
import type { Limits } from "./limits.ts";
import type { Isolation, SandboxJob } from "./sandbox.ts";

/** What {@linkcode isolationOf} has to know beside the job. */
export interface IsolationFacts {
  readonly mode: SandboxMode;
  /** Whether granted hosts are let through one by one. */
  readonly egress: boolean;
  /** Limits that are enforced. */
  readonly limits: readonly (keyof Limits)[];
}

/** What confines a job; the truth for `_meta["skillz/isolation"]`. */
export function isolationOf(
  { kind, access, services = [] }: Pick<SandboxJob, "kind" | "access" | "services">,
  { mode, egress, limits }: IsolationFacts,
): Isolation {
  // A Deno tool is held by its flags also where nothing else holds it.
  const flagsOnly = mode === "none" && kind === "deno";
  const held = mode !== "none" || flagsOnly;
  const hosts = (access.net !== true && access.net.length > 0) || services.length > 0;
  return {
    mode: flagsOnly ? "deno" : mode,
    network: !held || access.net === true ? "all" : hosts && (egress || flagsOnly) ? "hosts" : "none",
    filesystem: held ? "granted" : "all",
    limits: [...limits].sort(),
  };
}
