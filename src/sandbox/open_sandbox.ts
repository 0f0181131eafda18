import type { SandboxChoice, SandboxMode } from "../base/sandbox_mode.ts";
import { SkillzError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { isolationOf } from "./isolation.ts";
import type { ProgramResolver } from "./resolve_program.ts";
import type { Sandbox, SandboxedCommand, SandboxJob } from "./sandbox.ts";

/** Options of {@linkcode openSandbox}. */
export interface OpenSandboxOptions {
  /** SKILLZ_SANDBOX. */
  choice: SandboxChoice;
  /** PATH to find sandbox programs on. */
  path: string;
  /** Finds what a program needs to be seen inside. */
  programs: ProgramResolver;
  /** Absolute path of TOOLS_DIR. */
  toolsDir: string;
  logger: Logger;
}

/** The sandbox of this server. Nothing is probed before the first job or the first question for the mode. */
export function openSandbox(options: OpenSandboxOptions): Sandbox {
  return new OpenedSandbox(options);
}

class OpenedSandbox implements Sandbox {
  readonly #options: OpenSandboxOptions;

  constructor(options: OpenSandboxOptions) {
    this.#options = options;
  }

  mode(): Promise<SandboxMode> {
    return Promise.resolve("none");
  }

  async wrap(job: SandboxJob, options: { signal: AbortSignal }): Promise<SandboxedCommand> {
    options.signal.throwIfAborted();
    const mode = await this.mode();
    if (mode === "none") refuseVoidingGrants(job);
    return {
      spec: job.spec,
      isolation: isolationOf(job, { mode }),
      explain: () => Promise.resolve(undefined),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Deno's `--allow-run` and `--allow-ffi` void all its other flags, so they need a sandbox around it. */
function refuseVoidingGrants(job: SandboxJob): void {
  if (job.kind !== "deno") return;
  const field = job.access.run.length > 0 ? "run" : job.access.ffi ? "ffi" : undefined;
  if (field === undefined) return;
  throw new SkillzError(
    "denied",
    `Cannot grant permissions.${field}: no OS sandbox is in force, and without one it would void all other permissions`,
    { hint: "Install bubblewrap and set SKILLZ_SANDBOX=bubblewrap, or take the permission out" },
  );
}
