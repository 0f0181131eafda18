import type { McpLogLevel } from "../run/call_context.ts";

/** Levels of messages to clients, from chatty to grave. */
export const LOG_LEVELS: readonly McpLogLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Whether a message of `level` reaches someone who wants `least` and everything graver. */
export function passes(level: McpLogLevel, least: McpLogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
}

/** The level that a client named, if it is one. */
export function asLogLevel(value: unknown): McpLogLevel | undefined {
  return LOG_LEVELS.find((level) => level === value);
}
