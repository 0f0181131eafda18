import { join } from "node:path";
import type { Installation } from "./installer.ts";
import type { JobResult } from "./job_runner.ts";

/** Steps of pip that are worth telling. */
const STEP = /^\s*(Collecting|Downloading|Building wheel for|Installing collected packages)\b.*$/;

/** Runs a Python for an installation, with pip's cache. */
export async function runPython(
  installation: Installation,
  command: string,
  options: { args: readonly string[]; net?: boolean; read?: readonly string[]; cwd?: string },
): Promise<JobResult> {
  const { directory, interpreter, cache, timeoutMs, signal } = installation;
  const { args, net = false, read = [], cwd = directory } = options;
  const own = join(cache, "pip");
  return await installation.run({
    kind: "install",
    command,
    args,
    cwd,
    env: { ...interpreter.env, PIP_CACHE_DIR: own },
    read,
    write: [own],
    needs: interpreter.needs,
    net,
    timeoutMs,
  }, {
    signal,
    onLine: (line) => {
      const step = STEP.exec(line)?.[0];
      if (step !== undefined) installation.progress(step.trim().slice(0, 200));
    },
  });
}
