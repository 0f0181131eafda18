import { raceAbort } from "../../base/abort.ts";
import { SkillzError } from "../../base/errors.ts";
import type { JsonValue } from "../../base/json.ts";
import { classifyLine, type Frame, type RpcAnswer, type RpcId } from "./frames.ts";
import { type RequestHandler, RequestServer } from "./_request_server.ts";
import { readLines } from "./lines.ts";

/** The two ends that a peer talks over; a `RunningProcess` is one. */
export interface PeerStreams {
  /** What the far side says. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** Sends to the far side; quietly does nothing once it listens no more. */
  write(data: string): Promise<void>;
}

/** Options of {@linkcode Peer}. */
export interface PeerOptions {
  /** Requests that the far side may make, by method. */
  handlers?: ReadonlyMap<string, RequestHandler>;
  /** Gets each notification. */
  onNotification?: (method: string, params: JsonValue) => void;
  /** Gets each line that is no JSON-RPC, e.g. a print. */
  onText?: (line: string) => void;
  /** Gets each answer that nobody waits for, e.g. with a wrong id. */
  onStray?: (frame: Frame) => void;
  /**
   * Most requests of the far side that are served at once; more wait their turn.
   * @default 64
   */
  concurrency?: number;
  /**
   * Most bytes of one line.
   * @default 10485760
   */
  maxLineBytes?: number;
  /**
   * Most bytes in all.
   * @default Infinity
   */
  maxTotalBytes?: number;
}

/** Options of {@linkcode Peer.request}. */
export interface RequestOptions {
  /** Gives up waiting when it aborts; what the far side says later is stray. */
  signal?: AbortSignal;
  /** Id of the request; counted up from 1 when absent. */
  id?: RpcId;
}

interface Waiting {
  resolve(answer: RpcAnswer): void;
  reject(error: SkillzError): void;
}

/** Both sides of JSON-RPC 2.0 over lines: asks the far side, and serves what it asks, many at once. */
export class Peer implements AsyncDisposable {
  /**
   * Resolves when the far side will say no more: undefined at its end, else why it isn't read on (`limit`).
   * Never rejects.
   */
  readonly closed: Promise<SkillzError | undefined>;
  readonly #streams: PeerStreams;
  readonly #options: PeerOptions;
  readonly #server: RequestServer;
  readonly #waiting = new Map<string, Waiting>();
  readonly #closing = new AbortController();
  #nextId = 1;
  #end: SkillzError | undefined;

  /** Starts reading at once. */
  constructor(streams: PeerStreams, options: PeerOptions = {}) {
    this.#streams = streams;
    this.#options = options;
    this.#server = new RequestServer(options.handlers ?? new Map(), {
      concurrency: options.concurrency ?? 64,
      signal: this.#closing.signal,
      send: (frame) => this.#send(frame),
    });
    this.closed = this.#read();
  }

  /**
   * Asks the far side; its error is a value, too.
   *
   * @throws {SkillzError} `failed` when it ends without an answer or gives a broken one, `limit` when it says too much;
   * the signal's reason when that aborts.
   */
  async request(method: string, params: JsonValue, options: RequestOptions = {}): Promise<RpcAnswer> {
    options.signal?.throwIfAborted();
    const id = options.id ?? this.#nextId++;
    const key = keyOf(id);
    if (this.#waiting.has(key)) {
      throw new SkillzError(
        "internal",
        `Cannot send a request: the id ${key} waits for its answer, a free one is wanted`,
      );
    }
    if (this.#closing.signal.aborted) throw this.#endError();
    const { promise, resolve, reject } = Promise.withResolvers<RpcAnswer>();
    this.#waiting.set(key, { resolve, reject });
    try {
      // Not awaited before the answer: a far side that answers without reading on must not be waited for.
      void this.#send({ jsonrpc: "2.0", method, params, id });
      return await raceAbort(promise, options.signal);
    } finally {
      this.#waiting.delete(key);
    }
  }

  /** Tells the far side something; resolves when it is written. */
  async notify(method: string, params: JsonValue): Promise<void> {
    await this.#send({ jsonrpc: "2.0", method, params });
  }

  /** Stops reading; who waits for an answer gets `failed`. Harmless when repeated. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.closed;
    await this.#server.settled();
  }

  async #read(): Promise<SkillzError | undefined> {
    const { maxLineBytes, maxTotalBytes } = this.#options;
    try {
      const lines = readLines(this.#streams.stdout, {
        signal: this.#closing.signal,
        ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
        ...(maxTotalBytes === undefined ? {} : { maxTotalBytes }),
      });
      for await (const line of lines) this.#take(classifyLine(line));
    } catch (error) {
      this.#end = error instanceof SkillzError
        ? error
        : new SkillzError("internal", "Cannot read on: the stream broke", { cause: error });
    }
    this.#closing.abort();
    for (const waiting of this.#waiting.values()) waiting.reject(this.#endError());
    return this.#end;
  }

  #take(frame: Frame): void {
    switch (frame.kind) {
      case "text":
        if (frame.text !== "") this.#tell(() => this.#options.onText?.(frame.text));
        break;
      case "notification":
        this.#tell(() => this.#options.onNotification?.(frame.method, frame.params));
        break;
      case "request":
        this.#server.serve(frame);
        break;
      case "response":
      case "broken":
        this.#takeAnswer(frame);
        break;
    }
  }

  #takeAnswer(frame: Frame & { kind: "response" | "broken" }): void {
    const waiting = this.#waitingFor(frame.id);
    if (waiting === undefined) {
      this.#tell(() => this.#options.onStray?.(frame));
    } else if (frame.kind === "response") {
      waiting.resolve(frame.answer);
    } else {
      const line = frame.text.length > 500 ? `${frame.text.slice(0, 500)}…` : frame.text;
      waiting.reject(
        new SkillzError("failed", `Cannot read the answer: it is no valid JSON, ${frame.reason}: ${line}`),
      );
    }
  }

  /** An answer without an id can only be meant for the one request that waits. */
  #waitingFor(id: RpcId | null | undefined): Waiting | undefined {
    if (id !== null && id !== undefined) return this.#waiting.get(keyOf(id));
    const [only] = this.#waiting.values();
    return this.#waiting.size === 1 ? only : undefined;
  }

  async #send(frame: Record<string, unknown>): Promise<void> {
    await this.#streams.write(`${JSON.stringify(frame)}\n`);
  }

  /** A listener that throws must not end the reading. */
  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      queueMicrotask(() => reportError(error));
    }
  }

  #endError(): SkillzError {
    return this.#end ??
      new SkillzError("failed", "Cannot get an answer: the program ended without giving one");
  }
}

/** 1 and "1" are different ids. */
function keyOf(id: RpcId): string {
  return JSON.stringify(id);
}
