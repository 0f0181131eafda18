import type { Limits } from "./limits.ts";
import { type DeniedAccess, findDenied, type FindDeniedOptions, manifestLine } from "./denied.ts";

/** What {@linkcode explainExit} knows of a job that failed. */
export interface ExplainFacts extends FindDeniedOptions {
  readonly limits: Limits;
  /** Limits that were hit for certain. */
  readonly hits: readonly (keyof Limits)[];
  /** Hosts that the egress proxy refused. */
  readonly refusedHosts: readonly string[];
}

/** How a process ended. */
export interface FailedExit {
  /** Exit code, or 128 + signal number. */
  code: number;
  /** What ended it, e.g. `SIGKILL`. */
  signal: string | null;
  /** The end of what it wrote there. */
  stderr: string;
}

/** Exit codes are 128 + signal where a sandbox program stands between. */
const [SIGXCPU, SIGXFSZ] = [24, 25] as const;

/** A cause of a failure. */
export interface Explanation {
  /** The cause, with what to change. */
  readonly text: string;
  /** The access that was denied, if that is the cause. */
  readonly denied?: DeniedAccess;
}

/** The cause of a failure that only the sandbox knows; undefined when it knows of none. */
export async function explainExit(exit: FailedExit, facts: ExplainFacts): Promise<Explanation | undefined> {
  const limit = facts.hits[0] ?? limitOf(exit);
  if (limit !== undefined) {
    return {
      text: `${limit} ${
        facts.limits[limit]
      } exceeded; raise limits.${limit} in the manifest if it needs more`,
    };
  }
  const host = facts.refusedHosts.at(-1);
  const denied: DeniedAccess | undefined = host === undefined
    ? await findDenied(exit.stderr, facts)
    : { field: "net", value: host };
  if (denied === undefined) return undefined;
  const what = denied.value === undefined ? denied.field : `${denied.field} ${JSON.stringify(denied.value)}`;
  return {
    text: `access denied: ${what} is not granted; add to the manifest ${manifestLine(denied)}`,
    denied,
  };
}

function limitOf({ code, signal, stderr }: FailedExit): keyof Limits | undefined {
  if (signal === "SIGXCPU" || code === 128 + SIGXCPU) return "cpu_ms";
  if (signal === "SIGXFSZ" || code === 128 + SIGXFSZ || /\bEFBIG\b|File too large|Errno 27\b/.test(stderr)) {
    return "file_bytes";
  }
  if (/\bEMFILE\b|Too many open files|Errno 24\b/.test(stderr)) return "open_files";
  if (
    /can't start new thread|fork: (?:retry: )?Resource temporarily unavailable|pthread_create.*EAGAIN/.test(
      stderr,
    )
  ) {
    return "processes";
  }
  if (
    /^MemoryError\b|JavaScript heap out of memory|Fatal JavaScript out of memory|Cannot allocate memory/m
      .test(stderr)
  ) {
    return "memory_mb";
  }
  return undefined;
}
