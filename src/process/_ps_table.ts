import { MARK_NAME } from "./mark.ts";
import type { ProcessEntry, ProcessTable } from "./process_table.ts";

/** Reads the table with `ps`, for macOS and the BSDs. Empty where there is no `ps`. */
export async function readPsTable(): Promise<ProcessTable> {
  const table = new Map<number, ProcessEntry>();
  for (const line of await runPs(["-axo", "pid=,ppid=,pgid=,stat=,lstart="])) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!match) continue;
    const [, pid, parent, group, state = "", start = ""] = match;
    table.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      zombie: state.startsWith("Z"),
      start: start.trim(),
    });
  }
  return table;
}

/** Marks by process id; `ps` shows the environment of one's own processes only. */
export async function readPsMarks(wanted: ReadonlySet<number>): Promise<Map<number, string>> {
  const marks = new Map<number, string>();
  const pattern = new RegExp(`\\s${MARK_NAME}=(\\S+)`);
  for (const line of await runPs(["-axwwE", "-o", "pid=,command="])) {
    const pid = Number.parseInt(line, 10);
    const mark = pattern.exec(line)?.[1];
    if (mark !== undefined && wanted.has(pid)) marks.set(pid, mark);
  }
  return marks;
}

async function runPs(args: string[]): Promise<string[]> {
  try {
    const command = new Deno.Command("/bin/ps", { args, clearEnv: true, stdin: "null", stderr: "null" });
    return new TextDecoder().decode((await command.output()).stdout).split("\n");
  } catch {
    return [];
  }
}
