import type { Enforcer } from "./enforcer.ts";
import { isolationOf } from "./isolation.ts";
import type { Kit } from "./kit.ts";
import { FILTER_FD, launch } from "./launch.ts";
import type { ProgramResolver } from "./resolve_program.ts";
import type { SandboxedCommand, SandboxJob } from "./sandbox.ts";
import { planView } from "./view.ts";

/** Options of {@linkcode confine}. */
export interface ConfineOptions {
  kit: Kit;
  programs: ProgramResolver;
  signal: AbortSignal;
  /** None in mode `none`. */
  enforcer?: Enforcer;
  /** Path of the enforcer's program. */
  program?: string;
}

/** Builds the confined command of one job. */
export async function confine(job: SandboxJob, options: ConfineOptions): Promise<SandboxedCommand> {
  const { kit, enforcer, program = "" } = options;
  const network = job.access.net === true;
  let inner: readonly string[] = [job.spec.command, ...job.spec.args];
  let filter: string | undefined;
  if (enforcer !== undefined) {
    const needs = await neededPaths(job, options);
    const view = await planView(withTmp(job), { kit, needs, network });
    filter = network ? kit.filters?.online : kit.filters?.offline;
    inner = enforcer.command({ program, view, ...(filter === undefined ? {} : { filterFd: FILTER_FD }) });
  }
  const launched = launch(inner, {
    limits: job.limits,
    boundCpu: job.kind !== "server",
    ...(filter === undefined ? {} : { filter }),
  });
  return {
    spec: { ...job.spec, ...launched },
    isolation: isolationOf(job, { mode: enforcer?.mode ?? "none" }),
    explain: () => Promise.resolve(undefined),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function neededPaths(job: SandboxJob, { programs, signal }: ConfineOptions): Promise<string[]> {
  const needsOf = async (program: string) => (await programs.resolve(program, { signal })).needs;
  const lists = await Promise.all([
    job.needs ?? needsOf(job.spec.command),
    ...job.access.run.map(needsOf),
  ]);
  return lists.flat();
}

/** A Deno tool may use the private /tmp as well; its flags were made before it was known that there is one. */
function withTmp(job: SandboxJob): SandboxJob {
  if (job.kind !== "deno") return job;
  const widen = (arg: string) => /^--allow-(read|write)=/.test(arg) ? `${arg},/tmp` : arg;
  return { ...job, spec: { ...job.spec, args: job.spec.args.map(widen) } };
}
