import { readdir, readFile } from "node:fs/promises";

/** Command lines of running processes whose own name begins with the word. */
export async function runningWith(word: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (line.startsWith(word)) found.push(line.replaceAll("\0", " "));
  }
  return found;
}
