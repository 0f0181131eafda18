/** Resident size of a process in MB, as the system counts it. */
export async function residentMb(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/** What a process adds to the memory in use, in MB: pages that several share count in parts. 0 when it has ended. */
export async function proportionalMb(pid: number): Promise<number> {
  const rollup = await Deno.readTextFile(`/proc/${pid}/smaps_rollup`).catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024;
}

/** Number of files that a process has open. */
export async function openFiles(pid: number): Promise<number> {
  return (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length;
}

/** Ids of the living descendants of a process. */
export async function descendants(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    // The name in parentheses may hold anything.
    const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state !== "" && state !== "Z") parents.set(Number(name), Number(parent));
  }
  const found = [pid];
  for (let at = 0; at < found.length; at++) {
    for (const [child, parent] of parents) if (parent === found[at]) found.push(child);
  }
  return found.slice(1);
}
