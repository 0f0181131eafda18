import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { Caller, McpLogLevel } from "../call_context.ts";
import type { Progress } from "../progress.ts";
import { redactStrings } from "./redact_strings.ts";

/** Where notes of a script go. */
export interface NoteTarget {
  /** Hears logs. */
  readonly caller: Caller;
  /** Takes progress. */
  readonly progress: Progress;
  /** Name of the logger: the tool's. */
  readonly logger: string;
  /** Takes secrets out of a text. */
  redact(text: string): string;
}

const LEVELS: Readonly<Record<string, McpLogLevel>> = {
  trace: "debug",
  debug: "debug",
  info: "info",
  notice: "notice",
  warn: "warning",
  warning: "warning",
  err: "error",
  error: "error",
  critical: "critical",
  fatal: "critical",
  alert: "alert",
  emergency: "emergency",
};

/** Most messages and characters that one call may send to the client's log. */
const MAX_MESSAGES = 5000;
const MAX_CHARACTERS = 1024 * 1024;

/** Hands on what one call of a script tells without wanting an answer. Never throws: notes don't change results. */
export class ScriptNotes {
  readonly #target: NoteTarget;
  #messages = 0;
  #characters = 0;
  #closed = false;

  /** Notes for one call. */
  constructor(target: NoteTarget) {
    this.#target = target;
  }

  /** Takes a notification; unknown methods are ignored, as JSON-RPC wants. */
  notification(method: string, params: JsonObject): void {
    if (this.#closed) return;
    switch (method) {
      case "log":
      case "logging/message":
      case "notifications/message":
        return this.#log(params);
      case "progress":
      case "notifications/progress":
      case "progress/update":
        return this.#progress(params);
      case "stream":
      case "stream/chunk":
        return this.#send("info", { ...without(params, "_meta"), type: "stream" });
      case "close_stream":
        return this.#target.caller.closeStream?.();
    }
  }

  /** A line that the script wrote to stderr. */
  stderr(line: string): void {
    this.#send("info", line);
  }

  /** A line on stdout that is no message. */
  noise(line: string): void {
    this.#send("debug", line);
  }

  /** Nothing is handed on from now on: the call has its result. */
  close(): void {
    this.#closed = true;
  }

  #log(params: JsonObject): void {
    const level = LEVELS[String(params.level ?? "info").toLowerCase()] ?? "info";
    const { message, data } = params;
    if (data === undefined || data === null) this.#send(level, message ?? "");
    else this.#send(level, message === undefined ? data : { message, data });
  }

  #progress(params: JsonObject): void {
    const progress = number(params.progress ?? params.current);
    if (progress === undefined) return;
    const total = number(params.total);
    this.#target.progress.own({
      progress,
      ...(total === undefined ? {} : { total }),
      ...(typeof params.message === "string" ? { message: params.message } : {}),
    });
  }

  #send(level: McpLogLevel, data: JsonValue): void {
    if (this.#closed || this.#messages > MAX_MESSAGES || data === "") return;
    this.#messages += 1;
    this.#characters += typeof data === "string" ? data.length : JSON.stringify(data).length;
    if (this.#messages > MAX_MESSAGES || this.#characters > MAX_CHARACTERS) {
      this.#messages = Infinity;
      this.#target.caller.log("warning", "Further messages of this call are left out", this.#target.logger);
      return;
    }
    this.#target.caller.log(level, redactStrings(data, this.#target.redact), this.#target.logger);
  }
}

function number(value: JsonValue | undefined): number | undefined {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : undefined;
}

function without(params: JsonObject, field: string): JsonObject {
  const { [field]: _dropped, ...rest } = params;
  return rest;
}
