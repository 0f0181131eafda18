import { tmpdir } from "node:os";
import type { SandboxChoice, SandboxMode } from "../base/sandbox_mode.ts";
import { errorText, SkillzError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { confine } from "./_confine.ts";
import { CAPABILITIES } from "./capabilities.ts";
import { type CgroupMaker, openCgroups } from "./cgroup.ts";
import type { OpenEgress } from "./egress_port.ts";
import { createTaskRoom } from "./_task_room.ts";
import type { Enforcer } from "./enforcer.ts";
import { ENFORCERS } from "./enforcers.ts";
import { type Kit, openKit } from "./kit.ts";
import { probeEnforcer } from "./probe.ts";
import type { ProgramResolver } from "./resolve_program.ts";
import type { Sandbox, SandboxedCommand, SandboxJob } from "./sandbox.ts";

/** Options of {@linkcode openSandbox}. */
export interface OpenSandboxOptions {
  /** SKILLZ_SANDBOX. */
  choice: SandboxChoice;
  /** Finds the sandbox programs, and what a program needs to be seen inside. */
  programs: ProgramResolver;
  logger: Logger;
  /** Lets granted hosts through one by one; without it a tool with such a list has no network. */
  openEgress?: OpenEgress;
  /**
   * Where temporary files go.
   * @default the system's folder for them
   */
  tempRoot?: string;
}

/** The sandbox of this server. Nothing is probed before the first job or the first question for the mode. */
export function openSandbox(options: OpenSandboxOptions): Sandbox {
  return new OpenedSandbox(options);
}

/** What was found out about this machine. */
interface Ground {
  kit: Kit;
  cgroups: CgroupMaker;
  /** How children are confined, and the path of its program. */
  enforcer?: { readonly row: Enforcer; readonly program: string };
  /** Why no OS sandbox is in force although one was wanted. */
  missing?: string;
}

class OpenedSandbox implements Sandbox {
  readonly #options: OpenSandboxOptions;
  readonly #closing = new AbortController();
  #ground: Promise<Ground> | undefined;
  readonly #taskRoom = createTaskRoom();
  #warned = false;

  constructor(options: OpenSandboxOptions) {
    this.#options = options;
  }

  async mode(): Promise<SandboxMode> {
    return (await this.#ready()).enforcer?.row.mode ?? "none";
  }

  async wrap(job: SandboxJob, options: { signal: AbortSignal }): Promise<SandboxedCommand> {
    options.signal.throwIfAborted();
    const { kit, cgroups, enforcer, missing } = await this.#ready();
    if (enforcer === undefined) refuseVoidingGrants(job);
    const warning = missing !== undefined && job.kind !== "deno" && !this.#warned ? missing : undefined;
    if (warning !== undefined) this.#warned = true;
    const confined = await confine(job, {
      kit,
      cgroups,
      taskRoom: this.#taskRoom,
      programs: this.#options.programs,
      signal: options.signal,
      ...(enforcer === undefined ? {} : { enforcer }),
      ...(this.#options.openEgress === undefined ? {} : { openEgress: this.#options.openEgress }),
    });
    return warning === undefined ? confined : Object.assign(confined, { warning });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new SkillzError("cancelled", "Cannot use the sandbox: the server is closing"));
    await this.#ground?.then(({ kit }) => kit[Symbol.asyncDispose](), () => {});
  }

  /** Probes once; a failure is kept too, so that each call tells it at once. */
  #ready(): Promise<Ground> {
    this.#ground ??= this.#open();
    return this.#ground;
  }

  async #open(): Promise<Ground> {
    const { choice, programs, logger, tempRoot = tmpdir() } = this.#options;
    this.#closing.signal.throwIfAborted();
    const [kit, cgroups] = await Promise.all([openKit(tempRoot), openCgroups()]);
    if (choice === "none") return { kit, cgroups };
    const wanted = choice === "auto" || choice === "required" ? "bubblewrap" : choice;
    const row = ENFORCERS[wanted];
    try {
      const program = await probeEnforcer(row, {
        kit,
        programs,
        tempRoot,
        signal: this.#closing.signal,
      });
      logger.debug("sandbox in force", { mode: row.mode });
      return { kit, cgroups, enforcer: { row, program } };
    } catch (error) {
      if (choice !== "auto") {
        await kit[Symbol.asyncDispose]();
        throw error;
      }
      const missing = `No sandbox is in force for tools that Deno does not run: ${errorText(error)}`;
      logger.warn(missing);
      return { kit, cgroups, missing };
    }
  }
}

/** Deno's `--allow-run` and `--allow-ffi` void all its other flags, so they need a sandbox around it. */
function refuseVoidingGrants(job: SandboxJob): void {
  if (job.kind !== "deno") return;
  const wanted = { run: job.access.run.length > 0, ffi: job.access.ffi };
  for (const field of ["run", "ffi"] as const) {
    const { state, note } = CAPABILITIES.deno[field];
    if (!wanted[field] || state !== "refused") continue;
    throw new SkillzError(
      "denied",
      `Cannot grant permissions.${field}: no OS sandbox is in force, and ${note}`,
      {
        hint: "Install bubblewrap and set SKILLZ_SANDBOX=bubblewrap, or take the permission out",
      },
    );
  }
}
