import { Buffer } from "node:buffer";
import { MARK_NAME } from "./mark.ts";
import type { ProcessEntry, ProcessTable } from "./process_table.ts";

/** Reads `/proc`. */
export async function readLinuxTable(): Promise<ProcessTable> {
  const names: string[] = [];
  for await (const entry of Deno.readDir("/proc")) {
    if (/^[1-9]/.test(entry.name)) names.push(entry.name);
  }
  const table = new Map<number, ProcessEntry>();
  await Promise.all(names.map(async (name) => {
    const entry = await readEntry(name);
    if (entry !== undefined) table.set(entry.pid, entry);
  }));
  return table;
}

/** The mark in a process's environment, undefined when there is none or it may not be read. */
export async function readLinuxMark(pid: number): Promise<string | undefined> {
  try {
    const bytes = await Deno.readFile(`/proc/${pid}/environ`);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const start = text.indexOf(`${MARK_NAME}=`);
    if (start < 0 || (start > 0 && text[start - 1] !== 0)) return undefined;
    const from = start + MARK_NAME.length + 1;
    const end = text.indexOf(0, from);
    return text.toString("latin1", from, end < 0 ? text.length : end);
  } catch {
    return undefined; // gone, or another user's
  }
}

async function readEntry(name: string): Promise<ProcessEntry | undefined> {
  try {
    const stat = await Deno.readTextFile(`/proc/${name}/stat`);
    // The second field is the program's name in parentheses and may hold blanks and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      pid: Number(name),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      zombie: fields[0] === "Z" || fields[0] === "X",
      start: fields[19] ?? "",
    };
  } catch {
    return undefined; // it ended between the listing and now
  }
}
