import type { SandboxMode } from "../base/sandbox_mode.ts";
import type { Isolation, SandboxJob } from "./sandbox.ts";

/** What confines a job under a mode; the truth for `_meta["skillz/isolation"]`. */
export function isolationOf(
  job: Pick<SandboxJob, "kind" | "access">,
  { mode, limits = [] }: { mode: SandboxMode; limits?: readonly string[] },
): Isolation {
  // A Deno tool is held by its flags also where nothing else holds it.
  const held = mode !== "none" || job.kind === "deno";
  const { net } = job.access;
  return {
    mode: mode === "none" && job.kind === "deno" ? "deno" : mode,
    network: !held || net === true ? "all" : net.length > 0 ? "hosts" : "none",
    filesystem: held ? "granted" : "all",
    limits: [...limits],
  };
}
