import { SkillzError } from "../base/errors.ts";
import { wait } from "../base/wait.ts";
import type { Family } from "./_family.ts";
import { type ClosableStream, closableStream } from "./_closable_stream.ts";
import { startChild } from "./_start_child.ts";
import { StderrDrain } from "./_stderr.ts";
import { isGroupAlive, stopFamily } from "./_stop_family.ts";
import { newMark } from "./mark.ts";
import type { CommandSpec, ExitStatus, RunningProcess } from "./process.ts";

/** Takes over the search for what an ended child left behind, see `reaper.ts`. */
export interface StrayCollector {
  /** Ends, soon, everything that carries this mark. */
  collect(family: { readonly pid: number; readonly mark: string }): void;
}

/** Options of {@linkcode spawnProcess}. */
export interface SpawnOptions {
  /** Stops the process with its descendants when it aborts. */
  signal?: AbortSignal;
  /**
   * Time between SIGTERM and SIGKILL when a stop names none.
   * @default 500
   */
  graceMs?: number;
  /**
   * How many last bytes of stderr are kept.
   * @default 8192
   */
  stderrTailBytes?: number;
  /** Gets each line of stderr, bounded in length (4096 characters) and rate (200 lines a second). */
  onStderr?: (text: string) => void;
  /**
   * Whether the child gets a standard input; `null` reads as empty.
   * @default "piped"
   */
  stdin?: "piped" | "null";
  /**
   * Ends strays of a child that ended by itself, in batches off the hot path. Without one, disposing looks for them
   * at once, which costs a look at every process of the machine.
   */
  strays?: StrayCollector;
}

/**
 * Starts a program in a process group of its own with exactly the environment given (and one marker variable).
 *
 * @throws {SkillzError} `unavailable` when the program or its working folder is missing, `cancelled` when the
 * signal has aborted already.
 */
export function spawnProcess(spec: CommandSpec, options: SpawnOptions = {}): RunningProcess {
  if (options.signal?.aborted) {
    throw new SkillzError("cancelled", `Cannot start "${spec.command}": the work was cancelled before`, {
      cause: options.signal.reason,
    });
  }
  const mark = newMark();
  return new Child(startChild(spec, { mark, stdin: options.stdin ?? "piped" }), mark, options);
}

/** How long the end of stderr is waited for once the child has ended, in case someone else holds the pipe. */
const DRAIN_MS = 100;

class Child implements RunningProcess {
  readonly pid: number;
  readonly status: Promise<ExitStatus>;
  readonly #family: Family;
  readonly #options: SpawnOptions;
  readonly #stdout: ClosableStream;
  readonly #stderr: StderrDrain;
  readonly #input: WritableStreamDefaultWriter<Uint8Array> | undefined;
  readonly #ended: Promise<Deno.CommandStatus>;
  readonly #encoder = new TextEncoder();
  readonly #onAbort = () => {
    this.stop().catch(() => {}); // dispose reports it
  };
  #inputClosed = false;
  #stopping: Promise<void> | undefined;
  #disposing: Promise<void> | undefined;

  constructor(child: Deno.ChildProcess, mark: string, options: SpawnOptions) {
    this.pid = child.pid;
    this.#stdout = closableStream(child.stdout);
    this.#options = options;
    this.#family = { pid: child.pid, mark, leaderEnded: false, known: new Map() };
    this.#input = options.stdin === "null" ? undefined : child.stdin.getWriter();
    this.#input?.closed.catch(() => {});
    this.#stderr = new StderrDrain(child.stderr, {
      tailBytes: options.stderrTailBytes ?? 8192,
      ...(options.onStderr ? { onLine: options.onStderr } : {}),
    });
    this.#ended = child.status;
    this.status = this.#settle();
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get stdout(): ReadableStream<Uint8Array> {
    return this.#stdout.stream;
  }

  async write(data: string | Uint8Array): Promise<void> {
    if (this.#inputClosed) return;
    try {
      await this.#input?.write(typeof data === "string" ? this.#encoder.encode(data) : data);
    } catch {
      this.#inputClosed = true; // the child closed it or ended; how it ended tells more than EPIPE
    }
  }

  async endInput(): Promise<void> {
    if (this.#inputClosed) return;
    this.#inputClosed = true;
    await this.#input?.close().catch(() => {});
  }

  stderrTail(): string {
    return this.#stderr.tail();
  }

  stop(options: { graceMs?: number } = {}): Promise<void> {
    this.#stopping ??= stopFamily(this.#family, {
      graceMs: options.graceMs ?? this.#options.graceMs ?? 500,
      ended: this.#ended,
    });
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposing ??= this.#dispose();
    return this.#disposing;
  }

  async #settle(): Promise<ExitStatus> {
    const { code, signal } = await this.#ended;
    this.#family.leaderEnded = true;
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    await wait(DRAIN_MS, { until: this.#stderr.done });
    return { code, signal };
  }

  async #dispose(): Promise<void> {
    try {
      await this.#endFamily();
    } finally {
      this.#options.signal?.removeEventListener("abort", this.#onAbort);
      this.#inputClosed = true;
      await this.#input?.abort().catch(() => {});
      await this.#stdout.close();
      await wait(DRAIN_MS, { until: this.#stderr.done });
      await this.#stderr.cancel();
      if (this.#family.leaderEnded) await this.status;
    }
  }

  async #endFamily(): Promise<void> {
    const { strays } = this.#options;
    if (this.#stopping === undefined && this.#family.leaderEnded && strays && !isGroupAlive(this.pid)) {
      strays.collect(this.#family);
      return;
    }
    await this.stop();
    await this.#ended;
  }
}
