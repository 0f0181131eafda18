import { throwIfCancelled, withTimeout } from "../base/abort.ts";
import { wait } from "../base/wait.ts";
import { LineForwarder } from "./_line_forwarder.ts";
import type { CommandSpec, ExitStatus } from "./process.ts";
import { type SpawnOptions, spawnProcess } from "./spawn.ts";

/** Options of {@linkcode runProcess}. */
export interface RunOptions {
  /** What it reads on its standard input; nothing when absent. */
  input?: string | Uint8Array;
  /** Most time it may take; then it is stopped with all its descendants. */
  timeoutMs: number;
  /** Stops it when it aborts. */
  signal?: AbortSignal;
  /**
   * How many first bytes of stdout are kept; the rest is read and left out.
   * @default 1048576
   */
  stdoutLimit?: number;
  /**
   * How many last bytes of stderr are kept.
   * @default 65536
   */
  stderrLimit?: number;
  /** Gets its process id once it runs, e.g. for a sandbox that watches it. */
  onStart?: (pid: number) => void;
  /** Gets lines of both streams as they come (those of stderr bounded in rate), e.g. for progress. */
  onLine?: (line: string, stream: "stdout" | "stderr") => void;
}

/** What a program that ran to its end left. */
export interface RunResult extends ExitStatus {
  /** Its output, at most `stdoutLimit` bytes. */
  stdout: string;
  /** The end of its stderr. */
  stderr: string;
  /** Whether stdout was longer than `stdoutLimit`. */
  truncated: boolean;
}

/**
 * Runs a program to its end. A failing one is a result too: look at `code`.
 *
 * @throws {SkillzError} `unavailable` when it can't be started, `timeout` with the limit in the message, `cancelled`.
 */
export async function runProcess(spec: CommandSpec, options: RunOptions): Promise<RunResult> {
  const what = `run "${spec.command}" to its end`;
  using limit = withTimeout(options.signal, { ms: options.timeoutMs, what });
  throwIfCancelled(limit.signal, what);
  await using child = spawnProcess(spec, spawnOptions(options, limit.signal));
  options.onStart?.(child.pid);
  const output = readHead(child.stdout, options);
  if (options.input !== undefined) {
    void child.write(options.input).then(() => child.endInput());
  }
  const status = await child.status;
  throwIfCancelled(limit.signal, what);
  if (!await settlesWithin(output, 250)) {
    await child.stop(); // a descendant holds the pipe open, or the machine is slow
    await settlesWithin(output, 5000);
  }
  await child[Symbol.asyncDispose]();
  return { ...status, ...await output, stderr: child.stderrTail() };
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let settled = false;
  await wait(ms, { until: promise.finally(() => settled = true) });
  return settled;
}

function spawnOptions(options: RunOptions, signal: AbortSignal): SpawnOptions {
  const { onLine } = options;
  return {
    signal,
    stdin: options.input === undefined ? "null" : "piped",
    stderrTailBytes: options.stderrLimit ?? 65_536,
    ...(onLine ? { onStderr: (line: string) => onLine(line, "stderr") } : {}),
  };
}

/** Reads all, so that the program never blocks, and keeps the beginning. */
async function readHead(
  stream: ReadableStream<Uint8Array>,
  { stdoutLimit = 1024 * 1024, onLine }: RunOptions,
): Promise<{ stdout: string; truncated: boolean }> {
  const decoder = new TextDecoder();
  const lines = onLine && new LineForwarder((line) => onLine(line, "stdout"));
  let stdout = "";
  let size = 0;
  for await (const chunk of stream) {
    lines?.push(chunk);
    const room = Math.max(0, stdoutLimit - size);
    if (room > 0) stdout += decoder.decode(chunk.subarray(0, room), { stream: true });
    size += chunk.length;
  }
  lines?.end();
  const truncated = size > stdoutLimit;
  // Where it was cut, half a character is left out rather than shown as a broken one.
  return { stdout: truncated ? stdout : stdout + decoder.decode(), truncated };
}
