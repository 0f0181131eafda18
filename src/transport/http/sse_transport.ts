import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/server";

const ENCODER = new TextEncoder();

/** Options of {@linkcode SseTransport}. */
export interface SseTransportOptions {
  /** What the endpoint's address carries. */
  readonly sessionId: string;
  /** Where the client posts its messages to. */
  readonly endpoint: string;
  /** Pause between two signs of life, in milliseconds. */
  readonly keepAliveMs: number;
}

/** The server's half of HTTP+SSE (2024-11-05): one stream out, messages in by POST. */
export class SseTransport implements Transport {
  /** Set by the library. */
  onclose?: () => void;
  /** Set by the library. */
  onerror?: (error: Error) => void;
  /** Set by the library. */
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  readonly sessionId: string;
  /** The stream, as the answer to the client's GET. */
  readonly response: Response;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #keepAlive: ReturnType<typeof setInterval>;

  /** Opens the stream and tells the client where to post. */
  constructor({ sessionId, endpoint, keepAliveMs }: SseTransportOptions) {
    this.sessionId = sessionId;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.close(),
    });
    this.#write(`event: endpoint\ndata: ${endpoint}\n\n`);
    this.#keepAlive = setInterval(() => this.#write(": keepalive\n\n"), keepAliveMs);
    this.response = new Response(body, {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no",
      },
    });
  }

  /** Called by the library. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Called by the library. */
  send(message: JSONRPCMessage): Promise<void> {
    this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    return Promise.resolve();
  }

  /** Takes a message that the client posted. */
  receive(message: JSONRPCMessage, extra: MessageExtraInfo): void {
    this.onmessage?.(message, extra);
  }

  /** Ends the stream; harmless when repeated. */
  close(): Promise<void> {
    const controller = this.#controller;
    if (controller) {
      this.#controller = undefined;
      clearInterval(this.#keepAlive);
      try {
        controller.close();
      } catch {
        // The client has closed it.
      }
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #write(text: string): void {
    this.#controller?.enqueue(ENCODER.encode(text));
  }
}
