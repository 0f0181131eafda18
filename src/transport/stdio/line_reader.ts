import { openChunkReader } from "../../base/chunk_reader.ts";

/** A line of input, or the news that one was longer than allowed and was thrown away. */
export type InputLine = { readonly kind: "line"; readonly text: string } | { readonly kind: "too_long" };

/** Options of {@linkcode readLines}. */
export interface ReadLinesOptions {
  /** Most bytes of one line. */
  maxBytes: number;
  /** Ends the reading as if the input had ended. */
  signal?: AbortSignal;
}

const NEWLINE = 0x0a;

/**
 * Reads lines that end at `\n`, whatever pieces they come in, and the unfinished last one.
 * Of a line that is too long nothing is kept: memory stays bounded and the next line is read as usual.
 */
export async function* readLines(
  source: ReadableStream<Uint8Array>,
  options: ReadLinesOptions,
): AsyncGenerator<InputLine> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let skipping = false;
  const finish = (): InputLine => {
    const line: InputLine = skipping ? { kind: "too_long" } : { kind: "line", text: decode(parts, length) };
    parts.length = 0;
    length = 0;
    skipping = false;
    return line;
  };
  for await (const chunk of chunksOf(source, options.signal)) {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start);
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end);
      length += piece.length;
      if (length > options.maxBytes) {
        skipping = true;
        parts.length = 0;
      }
      if (!skipping) parts.push(piece);
      if (end < 0) break;
      yield finish();
      start = end + 1;
    }
  }
  if (length > 0) yield finish();
}

async function* chunksOf(
  source: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = openChunkReader(source);
  const cancel = () => void reader.cancel();
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (let chunk = await reader.read(); chunk; chunk = await reader.read()) yield chunk;
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

// Whole lines are decoded, so that a character that was cut between two chunks stays whole.
function decode(parts: readonly Uint8Array[], length: number): string {
  const decoder = new TextDecoder();
  const [only] = parts;
  if (parts.length === 1 && only) return decoder.decode(only);
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return decoder.decode(whole);
}
