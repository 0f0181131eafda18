/** Bytes that are read at once. */
const BUFFER_BYTES = 64 * 1024;

/** Reads a byte stream chunk by chunk. */
export interface ChunkReader {
  /** The next bytes, the caller's own; `undefined` at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Lets go of the source: a read that is under way sees the end. Never rejects, harmless when repeated. */
  cancel(): Promise<void>;
}

/**
 * Reads a stream through one buffer. The streams of files and processes allocate 64 KiB for each read otherwise, however
 * little there is: a server that answers thousands of short messages grew by a hundred megabytes from that.
 */
export function openChunkReader(stream: ReadableStream<Uint8Array>): ChunkReader {
  const byob = openByob(stream);
  if (!byob) {
    const reader = stream.getReader();
    return {
      read: async () => (await reader.read()).value,
      cancel: () => reader.cancel().catch(() => {}),
    };
  }
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  return {
    async read() {
      const { value, done } = await byob.read(new Uint8Array(buffer));
      if (done || !value) return undefined;
      buffer = value.buffer;
      return value.slice();
    },
    cancel: () => byob.cancel().catch(() => {}),
  };
}

/** A reader that fills the buffers it is given; only streams of bytes have one. */
function openByob(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch (error) {
    if (stream.locked) throw error;
    return undefined;
  }
}
