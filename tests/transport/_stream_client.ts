import type { JsonObject } from "../../src/base/json.ts";
import { serveStdio, type StdioConnection } from "../../src/transport/stdio/serve_stdio.ts";
import { stderrLogger } from "../fixtures/mcp/logger.ts";
import { type Fixture, type FixtureOptions, openFixture } from "../fixtures/mcp/open_fixture.ts";
import { waitFor } from "../support/wait_for.ts";
import type { Message } from "./_raw_client.ts";

/** A client and the fixture server in one process, joined by streams: every message is the test's own. */
export class StreamClient implements AsyncDisposable {
  readonly messages: Message[] = [];
  readonly fixture: Fixture;
  readonly #connection: StdioConnection;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;
  #next = 1;

  /** Starts both. */
  constructor(options: FixtureOptions = {}) {
    this.fixture = openFixture(options);
    const input = new TransformStream<Uint8Array, Uint8Array>();
    const output = new TransformStream<Uint8Array, Uint8Array>();
    this.#writer = input.writable.getWriter();
    this.#reading = this.#read(output.readable);
    this.#connection = serveStdio({
      input: input.readable,
      output: output.writable,
      load: () => Promise.resolve(this.fixture.protocol.connectionFactory),
      logger: stderrLogger(),
    });
  }

  /** Sends a message. */
  async send(message: object): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  }

  /** Sends a request of the newer era, with more of `_meta` if wanted; returns its id. */
  async begin(method: string, params: JsonObject = {}, meta: JsonObject = {}): Promise<number> {
    const id = this.#next++;
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": ABLE,
      "io.modelcontextprotocol/clientInfo": { name: "stream", version: "1" },
      ...meta,
    };
    await this.send({ id, method, params: { ...params, _meta } });
    return id;
  }

  /** Sends a request of the newer era and waits for its answer. */
  async request(method: string, params: JsonObject = {}, meta: JsonObject = {}): Promise<Message> {
    return await this.answer(await this.begin(method, params, meta));
  }

  /** Waits for an answer. */
  async answer(id: number): Promise<Message> {
    const find = () => this.messages.find((message) => message.id === id && message.method === undefined);
    return await waitFor(find, { timeoutMs: 30_000 });
  }

  /** Ends both. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
    this.fixture[Symbol.dispose]();
    await this.#writer.abort().catch(() => {});
    await Promise.race([this.#reading, Promise.resolve()]);
  }

  async #read(source: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    for await (const text of source.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.messages.push(JSON.parse(line));
    }
  }
}

const ABLE: JsonObject = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
