import type { ServerContext } from "@modelcontextprotocol/server";
import type { JsonValue } from "../base/json.ts";
import { wait } from "../base/wait.ts";
import type { Outlet } from "./client_caller.ts";
import type { McpLogLevel, ProgressUpdate } from "../run/call_context.ts";
import { ProgressPace } from "./progress_pace.ts";

/**
 * What goes to the client while one of its requests is being answered: progress and log messages.
 * Nothing goes out once the request was answered.
 */
export class RequestOutlet implements Outlet {
  readonly #ctx: ServerContext;
  readonly #token: string | number | undefined;
  readonly #pace = new ProgressPace((update) =>
    this.#notify("notifications/progress", { progressToken: this.#token, ...update })
  );
  #progress = -Infinity;
  #closed = false;
  #sent = false;

  /** Binds to a request. */
  constructor(ctx: ServerContext) {
    this.#ctx = ctx;
    this.#token = ctx.mcpReq._meta?.progressToken;
  }

  /** Reports progress if the client gave a token and the value is higher than the last one. */
  progress(update: ProgressUpdate): void {
    if (this.#closed || this.#token === undefined || !(update.progress > this.#progress)) return;
    this.#progress = update.progress;
    this.#pace.take(update);
  }

  /** Sends a log message. The level was checked. */
  log(level: McpLogLevel, data: JsonValue, logger?: string): void {
    if (this.#closed) return;
    this.#notify("notifications/message", { level, data, ...(logger === undefined ? {} : { logger }) });
  }

  /** Ends the HTTP stream of the answer so that the client reconnects, where there is one. */
  get closeStream(): (() => void) | undefined {
    return this.#ctx.http?.closeSSE;
  }

  /**
   * Resolves when what was sent has had time to arrive on its own. Client libraries drop a call's progress when they
   * find its answer in the same piece of input.
   */
  async flushed(): Promise<void> {
    if (this.#sent) await wait(0);
  }

  /** Sends what waits; nothing goes out any more. */
  close(): void {
    this.#pace.flush();
    this.#closed = true;
  }

  // Fails only when the client is gone, which ends the request in its own way.
  #notify(method: string, params: Record<string, unknown>): void {
    this.#sent = true;
    this.#ctx.mcpReq.notify({ method, params }).catch(() => {});
  }
}
