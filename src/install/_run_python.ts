import { join } from "node:path";
import type { Installation } from "./installer.ts";
import type { JobResult } from "./job_runner.ts";

/** Steps of pip that are worth telling. */
const STEP = /^\s*(Collecting|Downloading|Building wheel for|Installing collected packages)\b.*$/;

/**
 * Runs a Python for an installation. pip's cache is `shared` with it only where no code of a package runs: whoever can
 * write there decides what other tools get.
 */
export async function runPython(
  installation: Installation,
  command: string,
  options: {
    args: readonly string[];
    net?: boolean;
    shared?: boolean;
    read?: readonly string[];
    cwd?: string;
  },
): Promise<JobResult> {
  const { directory, interpreter, cache, timeoutMs, signal } = installation;
  const { args, net = false, shared = false, read = [], cwd = directory } = options;
  const own = join(cache, "pip");
  return await installation.run({
    kind: "install",
    command,
    args,
    cwd,
    env: { ...interpreter.env, ...(shared ? { PIP_CACHE_DIR: own } : { PIP_NO_CACHE_DIR: "1" }) },
    read,
    write: shared ? [own] : [],
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
