import { SkillzError } from "../base/errors.ts";
import type { JobResult } from "./job_runner.ts";

/** A failure that users meet: how an installer says it, and what that means. */
export interface KnownFailure {
  /** What the installer says then. */
  readonly says: RegExp;
  /** That in few words. */
  readonly state: (match: RegExpExecArray) => string;
  /** What to do about it. */
  readonly hint: string;
}

/** No network, in the words of pip, uv, npm and deno alike. */
const OFFLINE: KnownFailure = {
  says:
    /Failed to establish a new connection|name resolution|resolve host|dns error|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|Network is unreachable|error sending request|failed to lookup address|tcp connect error|ConnectTimeoutError|Read timed out|ProxyError/i,
  state: () => "the registry can't be reached",
  hint: "Check the network of the server; dependencies that were installed before need none",
};

/** The failure of an installer, in one line where it is known. */
export function installFailure(
  result: JobResult,
  { program, known }: { program: string; known: readonly KnownFailure[] },
): SkillzError {
  const said = `${result.stderr}\n${result.stdout}`;
  for (const { says, state, hint } of [OFFLINE, ...known]) {
    const match = says.exec(said);
    if (match) return failure(state(match), hint);
  }
  if (result.explanation !== undefined) return failure(result.explanation);
  return failure(`${program} ended with exit code ${result.code}\n${lastLines(said)}`);
}

function failure(state: string, hint?: string): SkillzError {
  return new SkillzError(
    "failed",
    `Cannot install the dependencies: ${state}`,
    hint === undefined ? {} : { hint },
  );
}

/** The end of what was said, without empty lines. */
function lastLines(text: string): string {
  return text.split("\n").filter((line) => line.trim() !== "").slice(-15).join("\n").slice(-2000);
}
