/** Options of {@linkcode watchStream}. */
export interface WatchStreamOptions {
  /** Most bytes that wait for a client that does not read; then the stream is cut. */
  readonly unreadBytes: number;
  /** Called once when the stream is over, whoever ended it. */
  readonly onEnd: () => void;
}

/** The same response, with an eye on its stream: it tells when the client is gone, and bounds what waits for it. */
export function watchStream(response: Response, options: WatchStreamOptions): Response {
  if (!response.body) {
    options.onEnd();
    return response;
  }
  const reader = response.body.getReader();
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    options.onEnd();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      pump(reader, controller).finally(end);
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  }, new ByteLengthQueuingStrategy({ highWaterMark: options.unreadBytes }));
  return new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      controller.enqueue(read.value);
      if ((controller.desiredSize ?? 0) <= 0) throw new Error("The client does not read");
    }
    controller.close();
  } catch (error) {
    // The stream is over on one side; make it so on both.
    try {
      controller.error(error);
    } finally {
      await reader.cancel(error).catch(() => {});
    }
  }
}
