import type { McpServerFactory } from "@modelcontextprotocol/server";
import { loadLate } from "../../base/load_late.ts";
import type { Logger } from "../../base/log.ts";
import { wait } from "../../base/wait.ts";
import { FrontTransport } from "./front_transport.ts";
import { readLines } from "./line_reader.ts";
import { OutputQueue } from "./output_queue.ts";

/** Options of {@linkcode serveStdio}. */
export interface ServeStdioOptions {
  /** Where messages come from. */
  readonly input: ReadableStream<Uint8Array>;
  /** Where answers go. */
  readonly output: WritableStream<Uint8Array>;
  /** Makes what serves the connection. Called once, after `initialize` was answered; may load heavy modules. */
  readonly load: () => Promise<McpServerFactory>;
  readonly logger: Logger;
  /**
   * Most bytes of one message.
   * @default 67_108_864
   */
  readonly maxLineBytes?: number;
  /**
   * How long requests that are under way when the input ends may take to be answered, in milliseconds.
   * @default 5_000
   */
  readonly drainMs?: number;
}

/** A connection over stdio. */
export interface StdioConnection {
  /**
   * Resolves when the connection is over, however it ended, and everything was written. Rejects when the server could
   * not be made at all.
   */
  readonly ended: Promise<void>;
  /** Ends it: running calls are aborted. Resolves with `ended`. */
  close(): Promise<void>;
}

/** Serves MCP in both protocol eras over a pair of streams, usually the process' own. */
export function serveStdio(options: ServeStdioOptions): StdioConnection {
  const stop = new AbortController();
  const ended = run(options, stop);
  return {
    ended,
    close() {
      stop.abort();
      return ended;
    },
  };
}

async function run(options: ServeStdioOptions, stop: AbortController): Promise<void> {
  const output = new OutputQueue(options.output, { onBroken: () => stop.abort() });
  const front = new FrontTransport(output);
  let connection: Promise<{ close(): Promise<void> }> | undefined;
  const maxBytes = options.maxLineBytes ?? 64 * 1024 * 1024;
  try {
    for await (const line of readLines(options.input, { maxBytes, signal: stop.signal })) {
      await front.receive(line);
      if (connection) continue;
      connection = connect(options, front);
      connection.catch(() => stop.abort());
    }
    await connection;
    // The client has said all it will say; what it asked is still answered, but not for ever.
    await wait(options.drainMs ?? 5_000, { signal: stop.signal, until: front.idle() }).catch(() => {});
  } finally {
    await connection?.then((handle) => handle.close());
    await output.idle();
  }
}

async function connect(
  options: ServeStdioOptions,
  front: FrontTransport,
): Promise<{ close(): Promise<void> }> {
  const late = new URL("./connect_library.ts", import.meta.url);
  const [factory, { connectLibrary }] = await Promise.all([
    options.load(),
    loadLate<typeof import("./connect_library.ts")>(late),
  ]);
  return connectLibrary({
    factory,
    transport: front,
    onerror: (error) => options.logger.debug("Protocol error", { reason: error.message }),
  });
}
