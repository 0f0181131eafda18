import { readdir, readFile } from "node:fs/promises";

/** How many more tasks the user's other programs may start meanwhile without getting in the way of a tool. */
const SLACK = 512;
/** How long a count is good for, in milliseconds. */
const FRESH_MS = 2000;

/** Bounds how many processes a tool can start where no cgroup does it. */
export interface TaskRoom {
  /**
   * The kernel's limit of tasks of one *user* at which a tool with `processes` of its own is stopped: what the user has
   * now, and some. A rough bound, so that a fork bomb does not outrun the watch; undefined for root, whom it does not hold.
   */
  limitFor(processes: number): Promise<number | undefined>;
}

/** Counts with one look at `/proc` for all jobs of the same seconds. */
export function createTaskRoom(): TaskRoom {
  const uid = Deno.build.os === "linux" ? Deno.uid() : 0;
  let counted: { at: number; tasks: Promise<number> } | undefined;
  return {
    async limitFor(processes) {
      if (uid === 0 || uid === null) return undefined;
      if (counted === undefined || performance.now() - counted.at > FRESH_MS) {
        counted = { at: performance.now(), tasks: countTasks(uid) };
      }
      return await counted.tasks + processes + SLACK;
    },
  };
}

async function countTasks(uid: number): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const counts = await Promise.all(pids.map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? -1) !== uid) return 0;
    return Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }));
  return counts.reduce((sum, count) => sum + count, 0);
}
