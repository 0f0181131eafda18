import { readLinuxMark, readLinuxTable } from "./_linux_table.ts";
import { readPsMarks, readPsTable } from "./_ps_table.ts";

/** One process of the machine, as far as we look at it. */
export interface ProcessEntry {
  /** Process id. */
  readonly pid: number;
  /** Its parent's id; 1 or a subreaper once the parent is gone. */
  readonly parent: number;
  /** Id of its process group. */
  readonly group: number;
  /** Ended already and only waiting for its parent to notice. */
  readonly zombie: boolean;
  /** When it started, in whatever unit the system has: with `pid` it names one process for good. */
  readonly start: string;
}

/** All processes by id at one moment. */
export type ProcessTable = ReadonlyMap<number, ProcessEntry>;

/** Reads the machine's processes: `/proc` on Linux, `ps` on other Unixes. Costs milliseconds: not for the hot path. */
export function readProcessTable(): Promise<ProcessTable> {
  return Deno.build.os === "linux" ? readLinuxTable() : readPsTable();
}

/**
 * Marks of those of `pids` whose environment can be read and holds one. A process that wiped its environment has
 * none; it is found through its parent or its group instead.
 */
export async function readMarks(pids: readonly number[]): Promise<Map<number, string>> {
  if (pids.length === 0) return new Map();
  if (Deno.build.os !== "linux") return await readPsMarks(new Set(pids));
  const marks = new Map<number, string>();
  await Promise.all(pids.map(async (pid) => {
    const mark = await readLinuxMark(pid);
    if (mark !== undefined) marks.set(pid, mark);
  }));
  return marks;
}
