import { readdir, readFile } from "node:fs/promises";
import { wait } from "../base/wait.ts";
import type { Limits } from "./limits.ts";

/** What can be watched from outside. */
export type WatchedLimit = "memory_mb" | "processes" | "cpu_ms";

/** Options of {@linkcode watchTree}. */
export interface WatchOptions {
  readonly limits: Limits;
  /** Which of them to watch. */
  readonly watched: readonly WatchedLimit[];
  /** Called once, when the first is exceeded; the tree has been killed then. */
  readonly onHit: (limit: WatchedLimit) => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** What a tree of processes uses at one moment. */
export interface TreeUsage {
  /** All of its processes. */
  pids: number[];
  /** Resident memory of all. */
  memoryBytes: number;
  /** Processes and threads. */
  tasks: number;
  /** CPU time of all, in user and kernel. */
  cpuMs: number;
}

/** Memory grows quickly, so it is looked at often; CPU time can't run away. */
const PAUSE_MS = { often: 100, seldom: 1000 };
const PAGE_BYTES = 4096;
/** Clock ticks per second of /proc; 100 on every Linux that Deno runs on. */
const TICKS = 100;

/**
 * Watches the tree below `pid` (Linux) and kills it when it uses more than it may: for limits that no cgroup holds. The
 * resident size counts, not the address space, which V8 and Go reserve by the gigabyte.
 */
export async function watchTree(
  pid: number,
  { limits, watched, onHit, signal }: WatchOptions,
): Promise<void> {
  if (watched.length === 0) return;
  const pause = watched.some((limit) => limit !== "cpu_ms") ? PAUSE_MS.often : PAUSE_MS.seldom;
  while (!signal.aborted) {
    try {
      await wait(pause, { signal });
    } catch {
      return;
    }
    const usage = await readUsage(pid);
    if (usage.pids.length === 0) return;
    const hit = watched.find((limit) => exceeds(limit, usage, limits));
    if (hit === undefined || signal.aborted) continue;
    kill([-pid, ...usage.pids]);
    onHit(hit);
    return;
  }
}

/** What the tree below `pid` uses now; no pids when it is gone. */
export async function readUsage(pid: number): Promise<TreeUsage> {
  const usage: TreeUsage = { pids: [], memoryBytes: 0, tasks: 0, cpuMs: 0 };
  let layer = [pid];
  while (layer.length > 0 && usage.pids.length < 10_000) {
    const below = await Promise.all(layer.map((one) => addProcess(one, usage)));
    layer = below.flat();
  }
  return usage;
}

async function addProcess(pid: number, usage: TreeUsage): Promise<number[]> {
  try {
    const [stat, threads] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readdir(`/proc/${pid}/task`),
    ]);
    // The name in parentheses may hold anything, so fields are counted from behind it: 1 is the state.
    const fields = stat.slice(stat.lastIndexOf(")") + 1).trim().split(" ").map(Number);
    const at = (index: number) => fields[index] ?? 0;
    usage.pids.push(pid);
    usage.cpuMs += (at(11) + at(12) + at(13) + at(14)) * 1000 / TICKS;
    usage.tasks += at(17);
    usage.memoryBytes += at(21) * PAGE_BYTES;
    const children = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
    );
    return children.join(" ").split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function exceeds(limit: WatchedLimit, usage: TreeUsage, limits: Limits): boolean {
  switch (limit) {
    case "memory_mb":
      return usage.memoryBytes > limits.memory_mb * 1024 * 1024;
    case "processes":
      return usage.tasks > limits.processes;
    case "cpu_ms":
      return usage.cpuMs > limits.cpu_ms;
  }
}

function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // gone in the meantime
    }
  }
}
