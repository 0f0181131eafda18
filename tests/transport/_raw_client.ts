import { waitFor } from "../support/wait_for.ts";

/** A JSON-RPC message as it came. */
// deno-lint-ignore no-explicit-any -- tests look deep into answers of every shape
export type Message = any;

/** Path of the fixture server over stdio. */
export const STDIO_FIXTURE = new URL("../fixtures/mcp/stdio_server.ts", import.meta.url).pathname;

/** `initialize` as most clients send it. */
export function initialize(id: string | number, version = "2025-11-25", capabilities: object = {}): object {
  const clientInfo = { name: "raw", version: "1" };
  return {
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: { protocolVersion: version, capabilities, clientInfo },
  };
}

/** A client without any library: every byte is the test's own. */
export class RawClient implements AsyncDisposable {
  /** All messages so far, in order. */
  readonly messages: Message[] = [];
  /** Lines that were no JSON. */
  readonly garbage: string[] = [];
  readonly child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;
  #next = 1_000;

  /** Starts the fixture server with these options. */
  constructor(options: object = {}) {
    this.child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", STDIO_FIXTURE, JSON.stringify(options)],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Sends one line as it is. */
  async sendText(line: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(line + "\n"));
  }

  /** Sends a message. */
  send(message: object): Promise<void> {
    return this.sendText(JSON.stringify(message));
  }

  /** Sends a request and waits for its answer. */
  async request(method: string, params?: object): Promise<Message> {
    const id = this.#next++;
    await this.send({ jsonrpc: "2.0", id, method, ...(params ? { params } : {}) });
    return await this.answer(id);
  }

  /** Waits for the answer with this id. */
  answer(id: string | number | null): Promise<Message> {
    return this.find((message) => message.id === id && message.method === undefined);
  }

  /** Waits for a message. */
  async find(fits: (message: Message) => boolean): Promise<Message> {
    await waitFor(() => this.messages.some(fits), { timeoutMs: 30_000 });
    return this.messages.find(fits);
  }

  /** Says hello as the older era does. */
  async open(capabilities: object = {}, version = "2025-11-25"): Promise<Message> {
    await this.send(initialize("hello", version, capabilities));
    const answer = await this.answer("hello");
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Says that nothing more will come. */
  async endInput(): Promise<void> {
    await this.#writer.close().catch(() => {});
  }

  /** Waits for the end of the server; returns its exit code. */
  async exit(): Promise<number> {
    const { code } = await this.child.status;
    await this.#reading;
    return code;
  }

  /** Ends the server. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.endInput();
    try {
      this.child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await this.exit();
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    }
  }

  #take(line: string): void {
    try {
      const value = JSON.parse(line);
      if (Array.isArray(value)) this.messages.push({ batch: value });
      else this.messages.push(value);
    } catch {
      this.garbage.push(line);
    }
  }
}
