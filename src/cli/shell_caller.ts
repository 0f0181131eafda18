import { SkillzError } from "../base/errors.ts";
import type { CallContext, Caller } from "../run/call_context.ts";
import { writeError } from "./output.ts";

/** The context of a call from the command line: progress and logs go to stderr, questions can't be answered. */
export function shellContext(signal: AbortSignal): CallContext {
  const caller: Caller = {
    sessionId: "shell",
    client: "skillz command line",
    capabilities: { sampling: false, elicitation: false, elicitationUrl: false, roots: false },
    clientCapabilities: {},
    roots: () => Promise.resolve(undefined),
    ask: ({ method }) => {
      throw new SkillzError("unavailable", `Cannot answer ${method}: the command line has nobody to ask`);
    },
    progress: ({ progress, total, message }) =>
      void writeError(
        `${progress}${total === undefined ? "" : `/${total}`}${message ? ` ${message}` : ""}\n`,
      ),
    log: (level, data) =>
      void writeError(`${level}: ${typeof data === "string" ? data : JSON.stringify(data)}\n`),
  };
  return { callId: crypto.randomUUID(), caller, signal, depth: 0, chain: [], meta: {} };
}
