import { basename } from "node:path";
import type { Cgroup, CgroupMaker } from "./cgroup.ts";
import type { EgressProxy, OpenEgress } from "./egress_port.ts";
import type { Enforcer } from "./enforcer.ts";
import { explainExit } from "./_explain.ts";
import { isolationOf } from "./isolation.ts";
import type { Kit } from "./kit.ts";
import { FILTER_FD, launch } from "./launch.ts";
import type { Limits } from "./limits.ts";
import { isOutputClosed } from "./output_closed.ts";
import type { TaskRoom } from "./_task_room.ts";
import type { ProgramResolver } from "./resolve_program.ts";
import type { SandboxedCommand, SandboxJob } from "./sandbox.ts";
import { planView } from "./view.ts";
import { type WatchedLimit, watchTree } from "./watch_tree.ts";

/** Options of {@linkcode confine}. */
export interface ConfineOptions {
  kit: Kit;
  cgroups: CgroupMaker;
  taskRoom: TaskRoom;
  programs: ProgramResolver;
  signal: AbortSignal;
  /** None in mode `none`. */
  enforcer?: { readonly row: Enforcer; readonly program: string };
  /** None where hosts can't be let through one by one. */
  openEgress?: OpenEgress;
}

/** Builds the confined command of one job. */
export async function confine(job: SandboxJob, options: ConfineOptions): Promise<SandboxedCommand> {
  await using undo = new AsyncDisposableStack();
  const egress = await openEgressOf(job, options);
  if (egress) undo.use(egress);
  const cgroup = undo.use(await options.cgroups.create(job.limits));
  const { command, filter } = await commandOf(job, { ...options, egress });
  // A long-lived server uses up any CPU time in the end.
  const boundCpu = job.kind !== "server" && Number.isFinite(job.limits.cpu_ms);
  const { cgroups, taskRoom } = options;
  const userTasks = cgroups.holds.includes("processes")
    ? undefined
    : await taskRoom.limitFor(job.limits.processes);
  const launched = launch(command, {
    limits: job.limits,
    boundCpu,
    inherited: options.kit.inherited,
    cgroups: cgroup.procs,
    ...(filter === undefined ? {} : { filter }),
    ...(userTasks === undefined ? {} : { userTasks }),
  });
  const watched = watchedLimits(options.cgroups.holds, boundCpu);
  const limits: (keyof Limits)[] = [
    ...["timeout_ms", "output_bytes", "open_files", "file_bytes"] as const,
    ...new Set([...options.cgroups.holds, ...watched, ...(boundCpu ? ["cpu_ms"] as const : [])]),
  ];
  const resources = undo.move();
  return new Confined(job, {
    spec: { ...job.spec, ...launched, env: { ...job.spec.env, ...egress?.env() } },
    isolation: isolationOf(job, {
      mode: options.enforcer?.row.mode ?? "none",
      egress: egress !== undefined,
      limits,
    }),
    watched,
    cgroup,
    egress,
    resources,
    frame: options.enforcer && basename(options.enforcer.program),
  });
}

interface ConfinedParts extends Pick<SandboxedCommand, "spec" | "isolation"> {
  watched: readonly WatchedLimit[];
  cgroup: Cgroup;
  egress: EgressProxy | undefined;
  resources: AsyncDisposableStack;
  /** Name of the sandbox program around it, if any. */
  frame: string | undefined;
}

class Confined implements SandboxedCommand {
  readonly spec: SandboxedCommand["spec"];
  readonly isolation: SandboxedCommand["isolation"];
  readonly outputClosed?: () => Promise<boolean>;
  readonly #job: SandboxJob;
  readonly #parts: ConfinedParts;
  readonly #over = new AbortController();
  readonly #hits = new Set<keyof Limits>();
  /** Denied accesses that explanations found. */
  readonly #explained = new Set<string>();
  #watch: Promise<void> | undefined;
  #pid: number | undefined;

  constructor(job: SandboxJob, parts: ConfinedParts) {
    this.#job = job;
    this.#parts = parts;
    this.spec = parts.spec;
    this.isolation = parts.isolation;
    const { frame } = parts;
    if (frame === undefined) return;
    this.outputClosed = async () => this.#pid !== undefined && await isOutputClosed(this.#pid, frame);
  }

  started(pid: number): void {
    this.#pid = pid;
    this.#watch ??= watchTree(pid, {
      limits: this.#job.limits,
      watched: this.#parts.watched,
      onHit: (limit) => this.#hits.add(limit),
      signal: this.#over.signal,
    });
  }

  async explain(exit: { code: number; signal: string | null; stderr: string }): Promise<string | undefined> {
    const { cgroup, egress, isolation } = this.#parts;
    const explanation = await explainExit(exit, {
      access: this.#job.access,
      limits: this.#job.limits,
      hits: [...this.#hits, ...await cgroup.hits()],
      refusedHosts: egress?.denied() ?? [],
      confined: isolation.filesystem === "granted",
      offline: isolation.network !== "all",
    });
    const { field, value } = explanation?.denied ?? {};
    if (field !== undefined && value !== undefined) this.#explained.add(`${field} ${value}`);
    return explanation?.text;
  }

  denied(): readonly string[] {
    const hosts = (this.#parts.egress?.denied() ?? []).map((host) => `net ${host}`);
    return [...new Set([...hosts, ...this.#explained])];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#watch;
    await this.#parts.resources.disposeAsync();
  }
}

/** Limits that have to be watched from outside: those that nothing else holds, where there is a /proc to look at. */
function watchedLimits(held: CgroupMaker["holds"], boundCpu: boolean): WatchedLimit[] {
  if (Deno.build.os !== "linux") return [];
  const rest = (["memory_mb", "processes"] as const).filter((limit) => !held.includes(limit));
  return [...rest, ...(boundCpu ? ["cpu_ms"] as const : [])];
}

async function openEgressOf(job: SandboxJob, options: ConfineOptions): Promise<EgressProxy | undefined> {
  const { net } = job.access;
  const { services = [] } = job;
  if (options.enforcer === undefined || options.openEgress === undefined || net === true) return undefined;
  // Modules that are fetched at run time come from hosts as well.
  const hosts = [...new Set([...net, ...job.access.import])];
  if (hosts.length === 0 && services.length === 0) return undefined;
  return await options.openEgress({ hosts, services, signal: options.signal });
}

interface CommandOptions extends ConfineOptions {
  egress: EgressProxy | undefined;
}

async function commandOf(
  job: SandboxJob,
  options: CommandOptions,
): Promise<{ command: readonly string[]; filter?: string }> {
  const { kit, enforcer, egress } = options;
  const own = [job.spec.command, ...job.spec.args];
  if (enforcer === undefined) return { command: own };
  const network = job.access.net === true;
  const needs = await neededPaths(job, options);
  const view = await planView(withInnerCommand(job, egress), { kit, needs, network });
  // The inner end of the proxy is a Unix socket, which the stricter filter refuses. In the host's own network namespace
  // Unix sockets would reach its abstract ones: the display, the message bus.
  const sockets = egress !== undefined;
  const filter = sockets ? kit.filters?.online : kit.filters?.offline;
  const command = enforcer.row.command({
    program: enforcer.program,
    view,
    unixSockets: sockets,
    ...(filter === undefined ? {} : { filterFd: FILTER_FD }),
  });
  return filter === undefined ? { command } : { command, filter };
}

async function neededPaths(job: SandboxJob, { programs, signal, egress }: CommandOptions): Promise<string[]> {
  const needsOf = async (program: string) => (await programs.resolve(program, { signal })).needs;
  const lists = await Promise.all([
    job.needs ?? needsOf(job.spec.command),
    ...job.access.run.map(needsOf),
    egress === undefined ? [] : [egress.socketPath, ...egress.needs],
  ]);
  return lists.flat();
}

/**
 * The job with what a confined one needs inside: the inner end of the proxy, and for Deno the private /tmp, of which
 * nobody knew when the flags were made.
 */
function withInnerCommand(job: SandboxJob, egress: EgressProxy | undefined): SandboxJob {
  const widen = (arg: string) => /^--allow-(read|write)=/.test(arg) ? `${arg},/tmp` : arg;
  const args = job.kind === "deno" ? job.spec.args.map(widen) : job.spec.args;
  const [command = job.spec.command, ...rest] = egress?.command([job.spec.command, ...args]) ??
    [job.spec.command, ...args];
  return { ...job, spec: { ...job.spec, command, args: rest } };
}
