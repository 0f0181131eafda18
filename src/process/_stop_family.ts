import { SkillzError } from "../base/errors.ts";
import { wait } from "../base/wait.ts";
import { type Family, findFamily } from "./_family.ts";
import { stopOnWindows } from "./_stop_windows.ts";
import type { ProcessEntry } from "./process_table.ts";

/** How long SIGKILL rounds go on before we admit that something can't be killed. */
const KILL_LIMIT_MS = 10_000;

/** Options of {@linkcode stopFamily}. */
export interface StopFamilyOptions {
  /** Time between SIGTERM and SIGKILL; 0 skips SIGTERM. */
  graceMs: number;
  /** Settles when the child itself has ended. */
  ended: Promise<unknown>;
}

/**
 * Ends a whole family and resolves when none of it is left: SIGTERM, grace, then rounds of SIGKILL.
 * Throws `internal` when members are left after 10 s (only what the kernel itself won't end).
 */
export async function stopFamily(family: Family, options: StopFamilyOptions): Promise<void> {
  if (Deno.build.os === "windows") return await stopOnWindows(family.pid, options.ended);
  const members = await findFamily(family);
  if (members.length === 0) return;
  if (options.graceMs > 0) {
    sendToAll(family, members, "SIGTERM");
    if (await goneWithin(family, options)) return;
  }
  await killRounds(family);
}

/** Whether the process group still has members, zombies included. Costs one system call. */
export function isGroupAlive(pid: number): boolean {
  return sendSignal(-pid, 0);
}

async function goneWithin(family: Family, { graceMs, ended }: StopFamilyOptions): Promise<boolean> {
  const deadline = performance.now() + graceMs;
  await wait(graceMs, { until: ended });
  for (let pause = 5;; pause = Math.min(pause * 2, 100)) {
    if ((await findFamily(family)).length === 0) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await wait(Math.min(pause, left));
  }
}

/**
 * First everyone is frozen, until no new member turns up, then all are killed: what forks faster than it is killed
 * one by one loses because a stopped process can't fork.
 */
async function killRounds(family: Family): Promise<void> {
  const deadline = performance.now() + KILL_LIMIT_MS;
  for (let pause = 2;; pause = Math.min(pause * 2, 50)) {
    const members = await freeze(family);
    if (members.length === 0) return;
    if (performance.now() > deadline) {
      throw new SkillzError(
        "internal",
        `Cannot stop process ${family.pid}: ${members.length} of its processes live on after ${KILL_LIMIT_MS} ms of SIGKILL, none wanted`,
      );
    }
    sendToAll(family, members, "SIGKILL");
    await wait(pause);
  }
}

async function freeze(family: Family): Promise<ProcessEntry[]> {
  let members = await findFamily(family);
  for (let round = 0; round < 20 && members.length > 0; round++) {
    const known = family.known.size;
    sendToAll(family, members, "SIGSTOP");
    members = await findFamily(family);
    if (family.known.size === known) break;
  }
  return members;
}

/** The group goes first and in one call, so that nobody in it can fork in between. */
function sendToAll(family: Family, members: readonly ProcessEntry[], signal: Deno.Signal): void {
  if (members.some((member) => member.group === family.pid)) sendSignal(-family.pid, signal);
  for (const member of members) {
    if (member.group !== family.pid) sendSignal(member.pid, signal);
  }
}

function sendSignal(pid: number, signal: Deno.Signal | 0): boolean {
  try {
    Deno.kill(pid, signal as Deno.Signal);
    return true;
  } catch (error) {
    return error instanceof Deno.errors.PermissionDenied; // it is there, and another user's
  }
}
