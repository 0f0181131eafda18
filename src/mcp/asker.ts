import type { JsonObject } from "../base/json.ts";
import type { Question } from "../run/call_context.ts";

/** The way in which questions reach the client: at once, or with the answer to its own request. */
export interface Asker {
  /** Resolves with the answer. Throws `SkillzError`. */
  ask(question: Question, signal: AbortSignal): Promise<JsonObject>;
}

/** How long a person may take to answer, in milliseconds. */
export const ANSWER_MS = 10 * 60_000;
