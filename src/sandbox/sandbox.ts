import type { SandboxMode } from "../base/sandbox_mode.ts";
import type { CommandSpec } from "../process/process.ts";
import type { Limits } from "./limits.ts";
import type { Access } from "./permissions.ts";

/** A child that runs foreign code, before it is confined. */
export interface SandboxJob {
  /** What it is, for the profile and for messages. */
  readonly kind: "script" | "deno" | "code" | "install" | "build" | "server";
  /** The program as it would run without a sandbox. `deno` jobs already carry their `--allow-*` flags. */
  readonly spec: CommandSpec;
  /** What it may touch. */
  readonly access: Access;
  /** Its bounds. */
  readonly limits: Limits;
  /** Private scratch folder of this call, shown inside as `/tmp` where the mode has its own mount view. */
  readonly scratch: string;
  /** Services whose addresses are let through, as `host:port`. */
  readonly services?: readonly string[];
  /** What the program needs to be seen (`ResolvedProgram.needs`); found out from `spec.command` when absent. */
  readonly needs?: readonly string[];
}

/** What really confined a child; goes to `_meta["skillz/isolation"]`. */
export interface Isolation {
  /** `bubblewrap`, `firejail`, `nsjail`, `deno` (permission flags only), `wasm`, `none`. */
  mode: SandboxMode | "deno" | "wasm";
  /** `none`, `all`, or `hosts` (only those granted). */
  network: "none" | "all" | "hosts";
  /** `granted` when only granted paths are reachable, else `all`. */
  filesystem: "granted" | "all";
  /** Names of the limits that are enforced. */
  limits: string[];
}

/** A confined command, ready to be started once. Disposing it removes what was set up for it (proxy, cgroup). */
export interface SandboxedCommand extends AsyncDisposable {
  /** What to start. */
  readonly spec: CommandSpec;
  /** What will be in force. */
  readonly isolation: Isolation;
  /** Set on the first foreign-language job that runs without an OS sandbox although one was wanted: tell the user. */
  readonly warning?: string;
  /**
   * After a failure: the cause that the sandbox knows, e.g. a limit that was hit or an access that was denied and
   * the manifest line that would grant it; undefined when it knows of none.
   */
  explain(exit: { code: number; signal: string | null; stderr: string }): Promise<string | undefined>;
  /** Accesses that were denied so far, as far as they are known: `net api.example`. */
  denied?(): readonly string[];
  /**
   * Whether the program can't write to its standard output any more although that has not ended, because programs of
   * the sandbox hold it open.
   */
  readonly outputClosed?: () => Promise<boolean>;
  /** Tells the sandbox the pid once started, so that limits can be watched. */
  started?(pid: number): void;
}

/** Confines children; one per server, made by `sandbox/open_sandbox.ts` from the configuration. */
export interface Sandbox extends AsyncDisposable {
  /** The mode in force, probed once. */
  mode(): Promise<SandboxMode>;
  /** Confines one job. Throws `SkillzError("unavailable")` with cause and cure where the wanted mode can't work. */
  wrap(job: SandboxJob, options: { signal: AbortSignal }): Promise<SandboxedCommand>;
}
