import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { wait } from "../base/wait.ts";
import type { Limits } from "./limits.ts";

/** A control group of one job. */
export interface Cgroup extends AsyncDisposable {
  /** Files in which a process writes 0 to enter. */
  readonly procs: readonly string[];
  /** Which of its limits were hit so far. */
  hits(): Promise<CgroupLimit[]>;
}

/** What a control group bounds: the whole tree of processes, whatever they do. */
export type CgroupLimit = "memory_mb" | "processes";

/** Makes control groups where the kernel and our rights allow it. */
export interface CgroupMaker {
  /** Which limits its groups hold; empty where there are none. */
  readonly holds: readonly CgroupLimit[];
  /** A group with these limits. */
  create(limits: Pick<Limits, CgroupLimit>): Promise<Cgroup>;
}

/** Folders in which groups are made: two of version 1, or one of version 2 that does both. */
interface Hierarchy {
  readonly version: 1 | 2;
  readonly memory?: string;
  readonly pids?: string;
}

/** Processes of the sandbox itself that are in the group too. */
const OVERHEAD = 4;

/**
 * Looks for cgroups that we may make groups in: version 1 below our own group, version 2 beside it (a group with
 * processes can't have bounded children). `root` and `self` are named by tests only.
 */
export async function openCgroups(
  { root = "/sys/fs/cgroup", self = "/proc/self/cgroup" }: { root?: string; self?: string } = {},
): Promise<CgroupMaker> {
  const text = await readFile(self, "utf8").catch(() => "");
  const own = new Map(
    text.trim().split("\n").map((line) => {
      const [, controllers = "", path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      return [controllers, path] as const;
    }),
  );
  const hierarchy = await versionOne(root, own) ?? await versionTwo(root, own);
  if (hierarchy === undefined) {
    return {
      holds: [],
      create: () =>
        Promise.resolve({
          procs: [],
          hits: () => Promise.resolve([]),
          [Symbol.asyncDispose]: async () => {},
        }),
    };
  }
  return {
    holds: [
      ...(hierarchy.memory ? ["memory_mb"] as const : []),
      ...(hierarchy.pids ? ["processes"] as const : []),
    ],
    create: (limits) =>
      makeGroup(hierarchy, { name: `skillz-${Deno.pid}-${crypto.randomUUID().slice(0, 8)}`, limits }),
  };
}

async function versionOne(root: string, own: ReadonlyMap<string, string>): Promise<Hierarchy | undefined> {
  const find = async (controller: string) => {
    const path = own.get(controller);
    if (path === undefined) return undefined;
    const folder = join(root, controller, path);
    return await canMakeGroups(folder) ? folder : undefined;
  };
  const [memory, pids] = [await find("memory"), await find("pids")];
  if (memory === undefined && pids === undefined) return undefined;
  return { version: 1, ...(memory ? { memory } : {}), ...(pids ? { pids } : {}) };
}

async function versionTwo(root: string, own: ReadonlyMap<string, string>): Promise<Hierarchy | undefined> {
  const path = own.get("");
  if (path === undefined || path === "/") return undefined;
  const folder = join(root, dirname(path));
  const enabled = (await readFile(join(folder, "cgroup.subtree_control"), "utf8").catch(() => "")).trim()
    .split(" ");
  if (!enabled.includes("memory") || !enabled.includes("pids")) return undefined;
  return await canMakeGroups(folder) ? { version: 2, memory: folder, pids: folder } : undefined;
}

/** Tries it, and clears away what servers that are gone have left. */
async function canMakeGroups(folder: string): Promise<boolean> {
  const test = join(folder, `skillz-${Deno.pid}-test-${crypto.randomUUID().slice(0, 8)}`);
  try {
    await mkdir(test);
    await rmdir(test);
  } catch {
    return false;
  }
  for (const name of await readdir(folder)) {
    const pid = /^skillz-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || await readFile(`/proc/${pid}/stat`).then(() => true, () => false)) continue;
    await rmdir(join(folder, name)).catch(() => {});
  }
  return true;
}

interface GroupRequest {
  name: string;
  limits: Pick<Limits, CgroupLimit>;
}

async function makeGroup(hierarchy: Hierarchy, { name, limits }: GroupRequest): Promise<Cgroup> {
  const memory = hierarchy.memory && join(hierarchy.memory, name);
  const pids = hierarchy.pids && join(hierarchy.pids, name);
  const folders = [...new Set([memory, pids].filter((folder) => folder !== undefined))];
  const bytes = String(limits.memory_mb * 1024 * 1024);
  const close = async () => {
    for (const folder of folders) await removeGroup(folder);
  };
  try {
    for (const folder of folders) await mkdir(folder);
    if (memory) {
      await writeFile(join(memory, hierarchy.version === 1 ? "memory.limit_in_bytes" : "memory.max"), bytes);
      // Swap would only make the same limit slow; not every kernel counts it.
      const [swap, most] = hierarchy.version === 1
        ? ["memory.memsw.limit_in_bytes", bytes]
        : ["memory.swap.max", "0"];
      await writeFile(join(memory, swap), most, { flag: "r+" }).catch(() => {});
      if (hierarchy.version === 2) {
        await writeFile(join(memory, "memory.oom.group"), "1", { flag: "r+" }).catch(() => {});
      }
    }
    if (pids) await writeFile(join(pids, "pids.max"), String(limits.processes + OVERHEAD));
  } catch (error) {
    await close();
    throw error;
  }
  const counted = async (file: string, key: string) =>
    Number(new RegExp(`^${key} (\\d+)$`, "m").exec(await readFile(file, "utf8").catch(() => ""))?.[1] ?? 0) >
      0;
  return {
    procs: folders.map((folder) => join(folder, "cgroup.procs")),
    async hits() {
      const kills = memory && join(memory, hierarchy.version === 1 ? "memory.oom_control" : "memory.events");
      return [
        ...(kills && await counted(kills, "oom_kill") ? ["memory_mb"] as const : []),
        ...(pids && await counted(join(pids, "pids.events"), "max") ? ["processes"] as const : []),
      ];
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Ends whatever is left in a group and removes it; a zombie that its parent does not fetch holds it a little longer. */
async function removeGroup(folder: string): Promise<void> {
  for (let pause = 1; pause < 500; pause *= 2) {
    const removed = await rmdir(folder).then(() => true, (error) => error.code === "ENOENT");
    if (removed) return;
    const left = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
    for (const pid of left.split("\n").map(Number).filter((pid) => pid > 0)) {
      try {
        Deno.kill(pid, "SIGKILL");
      } catch {
        // gone in the meantime
      }
    }
    await wait(pause);
  }
}
