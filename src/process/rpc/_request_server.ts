import { errorText, SkillzError } from "../../base/errors.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Frame, RpcError } from "./frames.ts";

/** Serves one kind of request. What it throws becomes the error of the answer. */
export type RequestHandler = (params: JsonValue, options: { signal: AbortSignal }) => Promise<JsonValue>;

/** Options of {@linkcode RequestServer}. */
export interface RequestServerOptions {
  /** Most requests at once. */
  concurrency: number;
  /** Aborts the handlers, and drops the requests that wait. */
  signal: AbortSignal;
  /** Sends an answer. */
  send: (frame: Record<string, unknown>) => Promise<void>;
}

/** A request of the far side. */
export type Request = Frame & { kind: "request" };

/** Most requests that wait for their turn. */
const MAX_QUEUE = 1000;

/** Answers the far side's requests, several at once and in any order. */
export class RequestServer {
  readonly #handlers: ReadonlyMap<string, RequestHandler>;
  readonly #options: RequestServerOptions;
  readonly #running = new Set<Promise<void>>();
  readonly #queue: Request[] = [];

  /** Looks handlers up by method. */
  constructor(handlers: ReadonlyMap<string, RequestHandler>, options: RequestServerOptions) {
    this.#handlers = handlers;
    this.#options = options;
  }

  /** Answers a request, now or when others have been. */
  serve(request: Request): void {
    if (this.#options.signal.aborted) return;
    if (this.#running.size < this.#options.concurrency) {
      const work: Promise<void> = this.#answer(request).finally(() => {
        this.#running.delete(work);
        const next = this.#queue.shift();
        if (next) this.serve(next);
      });
      this.#running.add(work);
    } else if (this.#queue.length < MAX_QUEUE) {
      this.#queue.push(request);
    } else {
      const message = `Cannot take the request: ${MAX_QUEUE} wait already, fewer at once are wanted`;
      void this.#send(request, { error: { code: -32000, message } });
    }
  }

  /** Resolves when no handler runs. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #answer(request: Request): Promise<void> {
    const { signal } = this.#options;
    const handler = this.#handlers.get(request.method);
    if (handler === undefined) {
      const known = [...this.#handlers.keys()].join(", ");
      const message = `Method "${request.method.slice(0, 100)}" is not known here, known are: ${known}`;
      return await this.#send(request, { error: { code: -32601, message } });
    }
    try {
      await this.#send(request, { result: await handler(request.params, { signal }) });
    } catch (error) {
      await this.#send(request, { error: toRpcError(error) });
    }
  }

  async #send(request: Request, answer: { result: JsonValue } | { error: RpcError }): Promise<void> {
    if (this.#options.signal.aborted) return;
    await this.#options.send({ jsonrpc: "2.0", id: request.id, ...answer });
  }
}

/** The message and its hint travel; `data.code` says what kind of failure it is. */
function toRpcError(error: unknown): RpcError {
  if (!(error instanceof SkillzError)) {
    return { code: -32603, message: errorText(error), data: { code: "internal" } };
  }
  const code = error.code === "invalid_input" ? -32602 : error.code === "internal" ? -32603 : -32000;
  return { code, message: errorText(error), data: { ...error.data, code: error.code } };
}
