import type { ServerContext } from "@modelcontextprotocol/server";
import type { JsonObject } from "../base/json.ts";
import type { CallContext } from "../run/call_context.ts";
import type { Session } from "./session.ts";

/** A request that may lead to questions: a tool call, a prompt, a resource. */
export interface AnswerableRequest<T> {
  readonly ctx: ServerContext;
  readonly session: Session;
  /** The client's capabilities as it sent them. */
  readonly declared: JsonObject;
  /** What is requested, as data: a later request goes on with this one only if it is the same. */
  readonly subject: readonly unknown[];
  /** Whether starting anew does no harm when the call that asked is gone. */
  readonly repeatable: boolean;
  /** Does the work. */
  readonly run: (call: CallContext) => Promise<T>;
}
