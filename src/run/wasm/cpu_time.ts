import { readFile } from "node:fs/promises";
import { anySignal, type ScopedSignal } from "../../base/abort.ts";
import { SkillzError } from "../../base/errors.ts";

/** What {@linkcode watchCpuTime} needs to know. */
export interface CpuTimeOptions {
  /** Name for messages. */
  readonly tool: string;
  /** Bounds from the manifest. */
  readonly limits: { readonly cpu_ms: number; readonly timeout_ms: number };
  /** Aborts the result too. */
  readonly signal: AbortSignal;
}

/** Linux counts the time of processes in hundredths of a second. */
const TICK_MS = 10;

/**
 * A signal that aborts once a process has used more than `cpu_ms` from now on. Where that is no less than the wall time,
 * which bounds it anyway, nothing is watched; elsewhere than on Linux wall time stands for it.
 */
export function watchCpuTime(pid: number, { tool, limits, signal }: CpuTimeOptions): ScopedSignal {
  if (limits.cpu_ms >= limits.timeout_ms) return { signal, [Symbol.dispose]: () => {} };
  const over = new AbortController();
  const either = anySignal(signal, over.signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = cpuTime(pid);
  const began = performance.now();
  const look = async () => {
    const [first, now] = await Promise.all([start, cpuTime(pid)]);
    const used = first === undefined || now === undefined ? performance.now() - began : now - first;
    if (timer === undefined) return;
    if (used < limits.cpu_ms) timer = setTimeout(look, Math.max(TICK_MS, limits.cpu_ms - used));
    else {
      over.abort(
        new SkillzError(
          "limit",
          `Cannot finish tool "${tool}": it computed longer than its limit, limits.cpu_ms is ${limits.cpu_ms}`,
        ),
      );
    }
  };
  timer = setTimeout(look, limits.cpu_ms);
  return {
    signal: either.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      timer = undefined;
      either[Symbol.dispose]();
    },
  };
}

/** Milliseconds that a process has computed; undefined where that can't be told. */
async function cpuTime(pid: number): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in parentheses, may hold blanks.
    const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13).map(Number);
    return user === undefined || system === undefined ? undefined : (user + system) * TICK_MS;
  } catch {
    return undefined;
  }
}
