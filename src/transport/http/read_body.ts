import { wait } from "../../base/wait.ts";
import type { JsonValue } from "../../base/json.ts";
import { HTTP_ERROR_CODES, httpError } from "./http_error.ts";

/** Bounds of {@linkcode readJson}. */
export interface ReadJsonOptions {
  /** Most bytes. */
  readonly bodyBytes: number;
  /** Longest time, in milliseconds. */
  readonly bodyMs: number;
}

/** The parsed body of a request, or the refusal: too large (413), too slow (408), cut off or no JSON (400). */
export async function readJson(
  body: ReadableStream<Uint8Array> | null,
  options: ReadJsonOptions,
): Promise<{ value: JsonValue } | { refusal: Response }> {
  const text = await readText(body, options).catch(() => ({ text: "" }));
  if (text === "too_large") {
    return { refusal: httpError(413, `Cannot read: the body is over ${options.bodyBytes} bytes`) };
  }
  if (text === "too_slow") {
    return { refusal: httpError(408, `Cannot read: the body took longer than ${options.bodyMs / 1_000} s`) };
  }
  try {
    return { value: JSON.parse(text.text) };
  } catch {
    return { refusal: httpError(400, "Cannot read: the body is not JSON", { code: HTTP_ERROR_CODES.parse }) };
  }
}

async function readText(
  body: ReadableStream<Uint8Array> | null,
  { bodyBytes, bodyMs }: ReadJsonOptions,
): Promise<{ text: string } | "too_large" | "too_slow"> {
  if (!body) return { text: "" };
  const reader = body.getReader();
  const over = new AbortController();
  const late = wait(bodyMs, { signal: over.signal }).then(
    () => "too_slow" as const,
    () => "too_slow" as const,
  );
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late]);
      if (read === "too_slow") return read;
      if (read.done) return { text: await new Blob(chunks as BlobPart[]).text() };
      length += read.value.length;
      if (length > bodyBytes) return "too_large";
      chunks.push(read.value);
    }
  } finally {
    over.abort();
    reader.cancel().catch(() => {});
  }
}
