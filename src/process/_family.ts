import { type ProcessEntry, readMarks, readProcessTable } from "./process_table.ts";

/** A child and what we know of its descendants. */
export interface Family {
  /** The child's id, also that of its process group. */
  readonly pid: number;
  /** The mark in its environment. */
  readonly mark: string;
  /** Whether the child itself has ended and was waited for: then its id may name another process. */
  leaderEnded: boolean;
  /** Members seen so far: id → start. One that left group, session, and parent behind is still ours. */
  readonly known: Map<number, string>;
}

/**
 * Members of the family that live now: the child, its process group, everyone below, everyone who carries the mark
 * (found wherever they were re-parented to), and those seen before. Zombies count as gone.
 *
 * One that left parent, group, and session and wiped its environment before anyone looked can't be told from a
 * stranger; only a pid namespace (a sandbox) holds such a one.
 */
export async function findFamily(family: Family): Promise<ProcessEntry[]> {
  const table = await readProcessTable();
  const leader = table.get(family.pid);
  const start = family.known.get(family.pid);
  // An id is used again once its process was waited for and its group is empty.
  const groupIsOurs = leader === undefined ||
    (!family.leaderEnded && (start === undefined || start === leader.start));
  const members = new Map<number, ProcessEntry>();
  const strangers: ProcessEntry[] = [];
  for (const entry of table.values()) {
    if (entry.pid <= 1 || entry.pid === Deno.pid) continue;
    const ours = (groupIsOurs && entry.group === family.pid) || family.known.get(entry.pid) === entry.start;
    if (ours) members.set(entry.pid, entry);
    else strangers.push(entry);
  }
  // Nobody is older than the child that all of them descend from. (Comparing with NaN is false: where `start` is no
  // number, or the child's is not known, everyone is looked at.)
  const since = Number(start ?? (family.leaderEnded ? NaN : leader?.start));
  const suspects = strangers.filter((entry) => !entry.zombie && !(Number(entry.start) < since));
  const marks = await readMarks(suspects.map((entry) => entry.pid));
  for (const entry of strangers) {
    if (marks.get(entry.pid) === family.mark) members.set(entry.pid, entry);
  }
  addDescendants(members, strangers);
  const living = [...members.values()].filter((entry) => !entry.zombie);
  for (const entry of living) family.known.set(entry.pid, entry.start);
  return living;
}

function addDescendants(members: Map<number, ProcessEntry>, others: readonly ProcessEntry[]): void {
  const children = Map.groupBy(others, (entry) => entry.parent);
  const queue = [...members.keys()];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (members.has(child.pid)) continue;
      members.set(child.pid, child);
      queue.push(child.pid);
    }
  }
}
