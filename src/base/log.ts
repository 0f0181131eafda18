/** Levels of our own log on stderr, from chatty to grave. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** One of {@linkcode LOG_LEVELS}. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Writes lines for people to stderr. Never pass secrets or argument values. */
export interface Logger {
  /** Details for whoever looks for a fault. */
  debug(message: string, fields?: LogFields): void;
  /** Normal events worth a line. */
  info(message: string, fields?: LogFields): void;
  /** Something is not as it should be, and the server goes on. */
  warn(message: string, fields?: LogFields): void;
  /** Something failed. */
  error(message: string, fields?: LogFields): void;
}

/** Short facts beside a message. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
