import type { CommandSpec } from "../process/process.ts";
import type { Inherited } from "./_inherited.ts";
import type { Limits } from "./limits.ts";

/** What the launcher does before the program takes its place. */
export interface LaunchOptions {
  /** Bounds that the kernel holds for each process. */
  readonly limits: Pick<Limits, "open_files" | "file_bytes" | "cpu_ms">;
  /** Whether CPU time is bounded; long-lived servers are not. */
  readonly boundCpu: boolean;
  /** File that the program finds open as {@linkcode FILTER_FD}. */
  readonly filter?: string;
  /** `cgroup.procs` files that it enters. */
  readonly cgroups?: readonly string[];
  /** Most tasks of the user, see `_task_room.ts`. */
  readonly userTasks?: number;
  /** What has to be closed, and the shell that can do it. */
  readonly inherited: Inherited;
}

/** Descriptor of the seccomp program. One digit: dash knows no others. */
export const FILTER_FD = 9;

/**
 * A command line that sets limits, enters cgroups, opens the filter, and then *becomes* `command` by exec: a shell costs
 * a millisecond, and it is on every Unix. Values travel as arguments, never in the script's text.
 */
export function launch(
  command: readonly string[],
  options: LaunchOptions,
): Pick<CommandSpec, "command" | "args" | "ownSession"> {
  const { filter, cgroups = [], inherited } = options;
  const { shell, descriptors, setsid } = inherited;
  const closable = descriptors.filter((fd) => fd < 10 || shell.endsWith("bash"));
  const script = [
    ...closable.map((fd) => `exec ${fd}>&-`),
    'n=$1; shift; while [ "$n" -gt 0 ]; do echo 0 > "$1" || exit 125; shift; n=$((n - 1)); done',
    ...limitCommands(options, shell.endsWith("bash") ? 1024 : 512),
    filter === undefined ? 'exec "$@"' : `exec "$@" ${FILTER_FD}<"$0"`,
  ].join("\n");
  const args = ["-c", script, filter ?? "sh", String(cgroups.length), ...cgroups, ...command];
  return setsid === undefined
    ? { command: shell, args }
    : { command: setsid, args: [shell, ...args], ownSession: true };
}

/** `blockBytes` is the shell's own unit for file sizes. */
function limitCommands({ limits, boundCpu, userTasks }: LaunchOptions, blockBytes: number): string[] {
  const { open_files, file_bytes, cpu_ms } = limits;
  // A hard limit of the machine that is lower already is kept.
  const set = (kind: string, value: number) =>
    Number.isFinite(value) ? [`ulimit ${kind} ${Math.max(1, Math.ceil(value))} 2>/dev/null || :`] : [];
  return [
    "ulimit -c 0",
    ...set("-n", open_files),
    // bash and dash have different letters for it.
    ...(userTasks === undefined
      ? []
      : [`ulimit -u ${userTasks} 2>/dev/null || ulimit -p ${userTasks} 2>/dev/null || :`]),
    ...set("-f", file_bytes / blockBytes),
    // The soft limit sends SIGXCPU, by which it is told from other deaths; the hard one kills whoever ignores that.
    ...(boundCpu ? [...set("-Ht", cpu_ms / 1000 + 1), ...set("-St", cpu_ms / 1000)] : []),
  ];
}
