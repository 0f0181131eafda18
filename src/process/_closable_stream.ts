/** A stream that can be ended from outside, also while someone else reads it. */
export interface ClosableStream {
  /** What is handed out. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Lets go of the source; a reader sees the end. Harmless when repeated. */
  close(): Promise<void>;
}

/** Wraps `source` without reading ahead. A source that breaks ends the stream. */
export function closableStream(source: ReadableStream<Uint8Array>): ClosableStream {
  const reader = source.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        controller.close();
      }
    },
    cancel: () => reader.cancel(),
  }, { highWaterMark: 0 });
  return { stream, close: () => reader.cancel().catch(() => {}) };
}
