import { environmentOfChildren } from "./environment.ts";

/** A message as it came, and how long that took from the moment its request was written, in milliseconds. */
export interface Reply {
  readonly message: Record<string, unknown>;
  readonly ms: number;
}

/** What {@linkcode Client} starts. */
export interface ClientOptions {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The most that any request may take, in milliseconds. */
const LIMIT_MS = 300_000;

/**
 * A JSON-RPC client over stdio that measures: as little as possible between the bytes and the clock. Not the SDK's
 * client, whose own work would be part of each figure.
 */
export class Client implements AsyncDisposable {
  /** When the process was asked for. */
  readonly #spawned = performance.now();
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<number, PromiseWithResolvers<Reply> & { sent: number }>();
  readonly #encoder = new TextEncoder();
  readonly #reading: Promise<void>;
  #id = 0;
  #bytes = 0;

  /** Starts the process. */
  constructor({ command, env, cwd }: ClientOptions) {
    const [program = "", ...args] = command;
    this.#child = new Deno.Command(program, {
      args,
      env: { ...environmentOfChildren(), ...env },
      clearEnv: true,
      ...(cwd === undefined ? {} : { cwd }),
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Process id. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Bytes of all messages that passed, in both directions. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sends a request; rejects when it is not answered. */
  async request(method: string, params: Record<string, unknown> = {}): Promise<Reply> {
    const id = ++this.#id;
    const line = this.#encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    this.#bytes += line.length;
    const waiting = { ...Promise.withResolvers<Reply>(), sent: performance.now() };
    this.#waiting.set(id, waiting);
    const timer = setTimeout(
      () => waiting.reject(new Error(`Cannot wait for ${method}: no answer in ${LIMIT_MS / 1000} s`)),
      LIMIT_MS,
    );
    try {
      this.#writer.write(line).catch(() => {});
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a notification. */
  async notify(method: string): Promise<void> {
    await this.#writer.write(this.#encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`));
  }

  /** The handshake. Returns the time from the spawn of the process to the reply, in milliseconds. */
  async initialize(): Promise<number> {
    const { message } = await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1.0.0" },
    });
    const ms = this.sinceSpawn();
    if (!("result" in message)) throw new Error(`Cannot connect: ${JSON.stringify(message).slice(0, 500)}`);
    await this.notify("notifications/initialized");
    return ms;
  }

  /** Milliseconds since the process was asked for. */
  sinceSpawn(): number {
    return performance.now() - this.#spawned;
  }

  /** Ends the process by closing its input, as a client does that leaves, and waits until it is gone. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer.close().catch(() => {});
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await this.#child.status;
    clearTimeout(timer);
    await this.#reading;
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    const parts: Uint8Array[] = [];
    for await (const chunk of this.#child.stdout) {
      const now = performance.now();
      this.#bytes += chunk.length;
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        parts.push(chunk.subarray(start, end));
        this.#receive(parts.map((part) => decoder.decode(part, { stream: true })).join(""), now);
        parts.length = 0;
        start = end + 1;
      }
      if (start < chunk.length) parts.push(chunk.subarray(start));
    }
    for (const waiting of this.#waiting.values()) {
      waiting.reject(new Error("Cannot wait for an answer: the server closed its output"));
    }
  }

  #receive(line: string, now: number): void {
    const message = JSON.parse(line) as Record<string, unknown>;
    if ("method" in message) return;
    const waiting = this.#waiting.get(Number(message.id));
    this.#waiting.delete(Number(message.id));
    waiting?.resolve({ message, ms: now - waiting.sent });
  }
}
