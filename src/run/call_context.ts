import type { JsonObject, JsonValue } from "../base/json.ts";

/** Severity of a message that goes to the client (RFC 5424, as MCP has it). */
export type McpLogLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";

/** How far a call has come; values only rise. */
export interface ProgressUpdate {
  /** Work done so far, in whatever unit. */
  progress: number;
  /** Work in all, in the same unit; absent when unknown. */
  total?: number;
  /** What is being done now. */
  message?: string;
}

/** A question that running code puts to whoever called: elicitation, sampling, or roots. */
export interface Question {
  /** The MCP request that asks it. */
  method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  /** Parameters of that request, as the asker gave them. */
  params: JsonObject;
  /** A stable key of the question within its call (the script's own id), used when answers come back by key. */
  key?: string;
}

/** What the one who called can do, the truth also for nested calls. */
export interface CallerCapabilities {
  /** Can ask the client's model. */
  readonly sampling: boolean;
  /** Form elicitation. */
  readonly elicitation: boolean;
  /** Elicitation by sending the user to an address. */
  readonly elicitationUrl: boolean;
  /** Can tell its workspace folders. */
  readonly roots: boolean;
}

/**
 * The far side of a call: the client's session, a command line, a test. Declared here, implemented above (`mcp/`, `cli/`).
 * Every method may be called at any depth of nested calls and for as long as the call lasts.
 */
export interface Caller {
  /** Session it belongs to; calls of different sessions never share state. */
  readonly sessionId: string;
  /** Name and version of the client, for the audit. */
  readonly client?: string;
  /** What questions it can answer. */
  readonly capabilities: CallerCapabilities;
  /** The client's own declared capabilities as sent, for `context.clientCapabilities`. */
  readonly clientCapabilities: JsonObject;
  /** The client's workspace roots that are here, as absolute paths; undefined when it names none or can't tell. */
  roots(signal: AbortSignal): Promise<readonly string[] | undefined>;
  /**
   * Asks the client and waits for the answer. Throws `SkillzError("unavailable")` at once when the client lacks the
   * capability, `SkillzError("timeout")` when no answer comes.
   */
  ask(question: Question, signal: AbortSignal): Promise<JsonObject>;
  /** Reports progress under the caller's own token; does nothing when it gave none. */
  progress(update: ProgressUpdate): void;
  /** Sends a log message, if the session's level lets it through. */
  log(level: McpLogLevel, data: JsonValue, logger?: string): void;
  /** Ends an HTTP response stream early so that the client reconnects (SEP-1699); only where there is one. */
  closeStream?(): void;
}

/** What travels with a call, made once in `mcp/` (or `cli/`) and derived for each nested call; plain data and ports. */
export interface CallContext {
  /** Id of this call, unique in the process. */
  readonly callId: string;
  /** Who called first. */
  readonly caller: Caller;
  /** Aborts when the call was cancelled or its time is over. */
  readonly signal: AbortSignal;
  /** When the call must have ended, in milliseconds since the epoch; nested calls inherit the earlier one. */
  readonly deadline?: number;
  /** 0 for the client's own call, one more for each nested one. */
  readonly depth: number;
  /** Names of the tools above, outermost first. */
  readonly chain: readonly string[];
  /** `_meta` of the request as the client sent it. */
  readonly meta: JsonObject;
  /** Hears what confines the code that does this call, as soon as that is known; not of nested calls. */
  confined?(isolation: JsonObject): void;
}

/** Most levels of tools that call tools. */
export const MAX_DEPTH = 16;
