import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";

/** What {@linkcode ChildTransport} starts. */
export interface ChildOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/**
 * A client's transport to a child over stdio. The SDK's own one leaves timers behind when it closes, which the
 * sanitizers of these tests rightly report; that one is used where clients are compared.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Everything that the child wrote to stderr. */
  stderr = "";
  /** Lines of stdout that are no JSON; a server must write none. */
  readonly noise: string[] = [];
  readonly #options: ChildOptions;
  #child: Deno.ChildProcess | undefined;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #done: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** Starts nothing yet. */
  constructor(options: ChildOptions) {
    this.#options = options;
  }

  /** Process id of the child. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  start(): Promise<void> {
    const { command, args, cwd, env } = this.#options;
    const pipes = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    const child = new Deno.Command(command, {
      args: [...args],
      cwd,
      env: { ...env },
      clearEnv: true,
      ...pipes,
    }).spawn();
    this.#child = child;
    this.#writer = child.stdin.getWriter();
    this.#done = Promise.all([
      this.#lines(child.stdout, (line) => this.#receive(line)),
      this.#lines(child.stderr, (line) => this.stderr += `${line}\n`),
      child.status,
    ]).finally(async () => {
      await this.#writer?.close().catch(() => {});
      this.#end();
    });
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#writer?.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  /** Closes the child's input and waits for its end, as a client does that leaves. */
  async close(): Promise<void> {
    await this.#writer?.close().catch(() => {});
    await this.#done;
  }

  async #lines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        take(line);
        // The SDK hands progress on a moment later than a result, and drops what then comes too late for its call.
        await Promise.resolve();
        await Promise.resolve();
      }
    }
    if (rest !== "") take(rest);
  }

  #receive(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = JSON.parse(line);
    } catch {
      this.noise.push(line);
      return;
    }
    this.onmessage?.(message);
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}
