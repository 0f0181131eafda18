import { SkillzError } from "../base/errors.ts";
import { wait } from "../base/wait.ts";

/** How long we wait for the end of what `taskkill` was told to end. */
const LIMIT_MS = 10_000;

/** Ends a process and those below it. Windows has neither groups nor SIGTERM; it knows the tree only while it stands. */
export async function stopOnWindows(pid: number, ended: Promise<unknown>): Promise<void> {
  let over = false;
  const end = ended.then(() => over = true);
  await wait(0, { until: end });
  if (over) return; // the id may name another process by now
  await new Deno.Command("taskkill", {
    args: ["/PID", String(pid), "/T", "/F"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  await wait(LIMIT_MS, { until: end });
  if (!over) {
    throw new SkillzError(
      "internal",
      `Cannot stop process ${pid}: it lives on after ${LIMIT_MS} ms, it must end`,
    );
  }
}
