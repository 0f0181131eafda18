import { initialize, type Message } from "../_raw_client.ts";

/** Headers that every client of `/mcp` sends. */
export const MCP_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** POSTs a message. */
export function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return fetch(url, { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body });
}

/** The messages in a response: JSON, or every event of a stream that ends. */
export async function messagesOf(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (!response.headers.get("content-type")?.includes("text/event-stream")) {
    return text ? [JSON.parse(text)] : [];
  }
  return eventsIn(text).filter(({ data }) => data).map(({ data }) => JSON.parse(data));
}

/** The events in a piece of a stream. */
export function eventsIn(text: string): { id: string; event: string; data: string }[] {
  return text.split("\n\n").filter((block) => /^(?:data|event|id):/m.test(block)).map((block) => ({
    id: /^id: ?(.*)$/m.exec(block)?.[1] ?? "",
    event: /^event: ?(.*)$/m.exec(block)?.[1] ?? "",
    data: /^data: ?(.*)$/m.exec(block)?.[1] ?? "",
  }));
}

/** Opens a session on `/mcp`; returns its id. */
export async function openSession(base: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await post(`${base}/mcp`, initialize(1), headers);
  await response.text();
  const id = response.headers.get("mcp-session-id") ?? "";
  const ready = { jsonrpc: "2.0", method: "notifications/initialized" };
  await (await post(`${base}/mcp`, ready, { ...headers, "mcp-session-id": id })).text();
  return id;
}

/** A request of the version without `initialize`, with its headers. */
export function modernCall(
  name: string,
  args: object = {},
): { message: object; headers: Record<string, string> } {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    message: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta } },
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
  };
}

/** Reads a stream piece by piece. */
export class StreamReader {
  readonly #reader: ReadableStreamDefaultReader<string>;
  /** Everything so far. */
  text = "";

  /** Takes the body of a response. */
  constructor(response: Response) {
    if (!response.body) throw new Error("The response has no body");
    this.#reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Reads until the text so far fits. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.text);
      if (match) return match;
      const { done, value } = await this.#reader.read();
      if (done) throw new Error(`The stream ended without ${pattern}: ${this.text.slice(0, 500)}`);
      this.text += value;
    }
  }

  /** Leaves. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}
