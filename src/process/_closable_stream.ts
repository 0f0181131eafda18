import { openChunkReader } from "../base/chunk_reader.ts";

/** A stream that can be ended from outside, also while someone else reads it. */
export interface ClosableStream {
  /** What is handed out. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Lets go of the source; a reader sees the end. Harmless when repeated. */
  close(): Promise<void>;
}

/** Wraps `source` without reading ahead. A source that breaks ends the stream. */
export function closableStream(source: ReadableStream<Uint8Array>): ClosableStream {
  const reader = openChunkReader(source);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const chunk = await reader.read();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      } catch {
        controller.close();
      }
    },
    cancel: () => reader.cancel(),
  }, { highWaterMark: 0 });
  return { stream, close: () => reader.cancel() };
}
