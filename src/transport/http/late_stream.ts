/** How an answer that takes long is sent piece by piece. */
export interface LateFormat {
  /** Value of the answer's header. */
  readonly contentType: string;
  /** Sent at once. */
  readonly open: string;
  /** Sent from time to time. */
  readonly keepAlive: string;
  /** The answer itself. */
  body(json: string): string;
}

/** Server-sent events, as MCP's transports have them. */
export const EVENTS: LateFormat = {
  contentType: "text/event-stream",
  open: ": open\n\n",
  keepAlive: ": keepalive\n\n",
  body: (json) => `event: message\ndata: ${json}\n\n`,
};

/** JSON after blanks, which every JSON parser skips. */
export const PADDED_JSON: LateFormat = {
  contentType: "application/json",
  open: " ",
  keepAlive: " ",
  body: (json) => json,
};

/** Options of {@linkcode lateStream}. */
export interface LateStreamOptions {
  readonly format: LateFormat;
  /** Pause between two signs of life, in milliseconds. */
  readonly keepAliveMs: number;
  /**
   * How long an answer may take before a stream is opened for it, in milliseconds.
   * @default 1_000
   */
  readonly afterMs?: number;
}

const ENCODER = new TextEncoder();

/**
 * Answers that are quick go out as they are. One that takes longer gets its stream opened at once, for two reasons:
 * proxies see life, and the server learns that a client has left only while an answer streams. The signal that
 * `answer` gets aborts then.
 */
export async function lateStream(
  answer: (left: AbortSignal) => Promise<Response>,
  options: LateStreamOptions,
): Promise<Response> {
  const left = new AbortController();
  const answered = answer(left.signal);
  return await quickly(answered, options.afterMs ?? 1_000) ?? streamLater(answered, { ...options, left });
}

async function quickly(answered: Promise<Response>, ms: number): Promise<Response | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

function streamLater(
  answered: Promise<Response>,
  { left, keepAliveMs, format }: LateStreamOptions & { left: AbortController },
): Response {
  let timer: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const put = (text: string) => controller.enqueue(ENCODER.encode(text));
      put(format.open);
      timer = setInterval(() => {
        if (!left.signal.aborted) put(format.keepAlive);
      }, keepAliveMs);
      try {
        await forward(await answered, { controller, format });
        controller.close();
      } catch (error) {
        // Does nothing when the client has left, and the stream is closed already.
        controller.error(error);
      } finally {
        clearInterval(timer);
      }
    },
    cancel() {
      clearInterval(timer);
      left.abort(new Error("The client has closed the stream"));
    },
  });
  const headers = {
    "content-type": format.contentType,
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  };
  return new Response(body, { headers });
}

async function forward(
  response: Response,
  { controller, format }: { controller: ReadableStreamDefaultController<Uint8Array>; format: LateFormat },
): Promise<void> {
  if (isEventStream(response) && response.body) {
    for await (const chunk of response.body) controller.enqueue(chunk);
    return;
  }
  const text = await response.text();
  if (text) controller.enqueue(ENCODER.encode(format.body(text)));
}

/** Whether a response is a stream of server-sent events. */
export function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.includes("text/event-stream") ?? false;
}
