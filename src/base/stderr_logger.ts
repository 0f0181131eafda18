import { LOG_LEVELS, type LogFields, type Logger, type LogLevel } from "./log.ts";
import { makeRedactor } from "./redact.ts";

/** Options of {@linkcode createLogger}. */
export interface CreateLoggerOptions {
  /** The least grave level that is written. */
  level: LogLevel;
  /** Values that never appear, whatever a message says. */
  secrets?: Iterable<string>;
  /**
   * Where bytes go.
   * @default Deno.stderr
   */
  write?: (bytes: Uint8Array) => Promise<unknown>;
}

/** A logger whose lines can be waited for. */
export interface StderrLogger extends Logger {
  /** Resolves when what was logged until now is written, or can't be. */
  flush(): Promise<void>;
}

/** Most characters that wait to be written; what comes when the reader is that slow is counted and left out. */
const MAX_WAITING = 1024 * 1024;
/** Most characters of a line. */
const MAX_LINE = 8192;

/** A logger that writes a line per message: time, level, message, fields. It never blocks and never throws. */
export function createLogger(options: CreateLoggerOptions): StderrLogger {
  const redact = makeRedactor(options.secrets ?? []);
  const queue = new LineQueue(options.write ?? writeToStderr);
  const log = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(options.level)) return () => {};
    return (message: string, fields: LogFields = {}) => {
      const text = redact(formatLine(level, message, fields));
      queue.push(text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text);
    };
  };
  return {
    debug: log("debug"),
    info: log("info"),
    warn: log("warn"),
    error: log("error"),
    flush: () => queue.flush(),
  };
}

function formatLine(level: LogLevel, message: string, fields: LogFields): string {
  let line = `${new Date().toISOString()} ${level.toUpperCase().padEnd(5)} ${message}`;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const text = String(value);
    line += ` ${name}=${/^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)}`;
  }
  // One message is one line, and nothing in it moves the reader's cursor.
  return line.replace(/[\p{Cc}\u2028\u2029]/gu, escapeCharacter);
}

function escapeCharacter(char: string): string {
  if (char === "\n") return "\\n";
  return char === "\t" ? " " : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

async function writeToStderr(bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += await Deno.stderr.write(bytes.subarray(done));
  }
}

/** Writes lines one after the other, without anyone waiting for it. */
class LineQueue {
  readonly #write: (bytes: Uint8Array) => Promise<unknown>;
  readonly #encoder = new TextEncoder();
  #waiting: string[] = [];
  #size = 0;
  #leftOut = 0;
  #pump: Promise<void> | undefined;

  constructor(write: (bytes: Uint8Array) => Promise<unknown>) {
    this.#write = write;
  }

  push(line: string): void {
    if (this.#size > MAX_WAITING) {
      this.#leftOut++;
      return;
    }
    this.#waiting.push(line);
    this.#size += line.length;
    this.#pump ??= this.#run().finally(() => this.#pump = undefined);
  }

  async flush(): Promise<void> {
    while (this.#pump !== undefined) await this.#pump;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      if (this.#leftOut > 0) lines.push(`(${this.#leftOut} more lines were left out)`);
      this.#waiting = [];
      this.#leftOut = 0;
      try {
        await this.#write(this.#encoder.encode(`${lines.join("\n")}\n`));
      } catch {
        // Nobody reads stderr any more; there is no other place to say so.
      }
      this.#size = this.#waiting.reduce((sum, line) => sum + line.length, 0);
    }
  }
}
