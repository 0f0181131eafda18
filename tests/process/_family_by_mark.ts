import type { RunningProcess } from "../../src/process/process.ts";
import { SERVER_MARK } from "../../src/process/mark.ts";
import { readMarks, readProcessTable } from "../../src/process/process_table.ts";

/** How many living processes carry a mark of this test process, or stand in the child's group. */
export async function findFamilyByMark(child: RunningProcess): Promise<number> {
  const living = [...(await readProcessTable()).values()].filter((entry) => !entry.zombie);
  const marks = await readMarks(living.map((entry) => entry.pid));
  return living.filter((entry) =>
    entry.group === child.pid || marks.get(entry.pid)?.startsWith(`${SERVER_MARK}.`)
  ).length;
}
