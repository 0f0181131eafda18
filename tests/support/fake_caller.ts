import { SkillzError } from "../../src/base/errors.ts";
import type { JsonObject } from "../../src/base/json.ts";
import type { CallContext, Caller, ProgressUpdate, Question } from "../../src/run/call_context.ts";

/** A far side that records what it is told and answers questions as the test says. */
export interface FakeCaller extends Caller {
  readonly progressed: ProgressUpdate[];
  readonly logged: { level: string; data: unknown }[];
  readonly questions: Question[];
}

/** Options of {@linkcode fakeCaller}. */
export interface FakeCallerOptions {
  sessionId?: string;
  /** The client's workspace; without them those of the server's configuration count. */
  roots?: readonly string[];
  /** Answers questions; without it the client can't answer any. */
  answer?: (question: Question) => JsonObject | Promise<JsonObject>;
}

/** Makes a caller for tests of what stands below `mcp/`. */
export function fakeCaller(options: FakeCallerOptions = {}): FakeCaller {
  const able = options.answer !== undefined;
  const caller: FakeCaller = {
    progressed: [],
    logged: [],
    questions: [],
    sessionId: options.sessionId ?? "test",
    client: "test 1.0.0",
    capabilities: { sampling: able, elicitation: able, elicitationUrl: able, roots: able },
    clientCapabilities: able ? { sampling: {}, elicitation: {}, roots: {} } : {},
    roots: () => Promise.resolve(options.roots),
    async ask(question) {
      caller.questions.push(question);
      if (!options.answer) throw new SkillzError("unavailable", "Cannot ask: the client can't answer");
      return await options.answer(question);
    },
    progress: (update) => void caller.progressed.push(update),
    log: (level, data) => void caller.logged.push({ level, data }),
  };
  return caller;
}

/** A context of a client's own call. */
export function fakeContext(changes: Partial<CallContext> = {}): CallContext {
  return {
    callId: crypto.randomUUID(),
    caller: fakeCaller(),
    signal: new AbortController().signal,
    depth: 0,
    chain: [],
    meta: {},
    ...changes,
  };
}
