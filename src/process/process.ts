/** A program to start: never a shell line. */
export interface CommandSpec {
  /** Absolute path or a name to be found on `env.PATH`. */
  command: string;
  /** Its arguments, each handed over as it is. */
  args: readonly string[];
  /** Folder to start in. */
  cwd: string;
  /** The whole environment of the child; nothing of the server's own is added. */
  env: Readonly<Record<string, string>>;
  /**
   * That it makes itself the leader of a session and process group of its own first, by `setsid`. Otherwise the runtime
   * does that for it by copying the server's whole memory map, which stops the server for milliseconds.
   * @default false
   */
  ownSession?: boolean;
}

/** How a process ended. */
export interface ExitStatus {
  /** Exit code, or 128 + signal number. */
  code: number;
  /** The signal that ended it, e.g. `SIGKILL`. */
  signal: string | null;
}

/**
 * A running child with its whole tree of descendants. Disposing it stops the tree.
 * Made only by `process/spawn.ts`.
 */
export interface RunningProcess extends AsyncDisposable {
  /** Process id, also the id of its process group. */
  readonly pid: number;
  /** Its standard output; whoever holds the process reads it to the end or cancels it. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** Resolves when the process has ended; never rejects. */
  readonly status: Promise<ExitStatus>;
  /** Writes to its standard input, with back-pressure; quietly does nothing once the child has closed it. */
  write(data: string | Uint8Array): Promise<void>;
  /** Closes its standard input. */
  endInput(): Promise<void>;
  /** The last bytes (default 8 KiB) that it wrote to stderr, as text. */
  stderrTail(): string;
  /**
   * Ends the process and all its descendants: SIGTERM, `graceMs` (default 500), SIGKILL; resolves when none is left
   * (zombies that wait for their parent count as gone). Harmless when repeated.
   */
  stop(options?: { graceMs?: number }): Promise<void>;
}
