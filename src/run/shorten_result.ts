import { isJsonObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { type ContentBlock, textBlock, type ToolResult } from "../base/tool_result.ts";
import { LARGE_RESULT_BYTES, type LargeResults } from "./large_results.ts";

/** Options of {@linkcode shortenResult}. */
export interface ShortenOptions {
  /** Where long texts are kept. */
  readonly results: LargeResults;
  /** The session that may read them. */
  readonly sessionId: string;
  /** Most bytes of text, and of data, that pass. @default LARGE_RESULT_BYTES */
  readonly maxBytes?: number;
  /** Whether the data pass whole, however long: a tool with an output schema promises what they look like. */
  readonly wholeData?: boolean;
}

/** Characters of a long text that are shown. */
const PREVIEW = 4096;

/**
 * A result fit to be sent to a client: a text that is too long becomes its beginning and a link to the rest, long fields
 * of the data become links.
 */
export async function shortenResult(result: ToolResult, options: ShortenOptions): Promise<ToolResult> {
  const { maxBytes = LARGE_RESULT_BYTES } = options;
  const keep = (text: string, mimeType: string) => keepText(text, { ...options, mimeType });
  const text = result.content.filter(isText).map((block) => block.text).join("\n");
  const { structuredContent: data } = result;
  const json = data === undefined ? undefined : JSON.stringify(data);
  const longText = byteLength(text) > maxBytes;
  const longData = options.wholeData !== true && json !== undefined && byteLength(json) > maxBytes;
  if (!longText && !longData) return result;
  const whole = longText ? await keep(text, text === json ? "application/json" : "text/plain") : undefined;
  const content = whole
    ? [...linked(text, whole), ...result.content.filter((block) => !isText(block))]
    : result.content;
  if (data === undefined || !longData) return { ...result, content };
  // The usual case: the text is the data, so one copy does for both.
  if (whole && text === json) return { ...result, content, structuredContent: whole };
  const short: JsonObject = {};
  for (const [key, value] of Object.entries(data)) short[key] = await shortField(value, { maxBytes, keep });
  if (byteLength(JSON.stringify(short)) <= maxBytes) return { ...result, content, structuredContent: short };
  return { ...result, content, structuredContent: { ...await keep(json ?? "", "application/json") } };
}

/** What stands in the place of a text that is kept elsewhere. */
interface Kept extends JsonObject {
  truncated: true;
  resource: string;
  bytes: number;
  mimeType: string;
}

async function keepText(
  text: string,
  { results, sessionId, mimeType }: ShortenOptions & { mimeType: string },
): Promise<Kept> {
  const { id, bytes } = await results.keep(text, { sessionId, mimeType });
  return { truncated: true, resource: `skillz://results/${id}`, bytes, mimeType };
}

function linked(text: string, { resource, bytes, mimeType }: Kept): ContentBlock[] {
  const preview = text.slice(0, PREVIEW).toWellFormed();
  const shown = byteLength(preview);
  const told = `${preview}\n… these are the first ${shown} of ${bytes} bytes. Read on in parts, e.g. ` +
    `${resource}?from=${shown}&to=${
      Math.min(bytes, shown + 65_536)
    }, or call the tool in execute_code and return ` +
    "only what you need.";
  return [textBlock(told), {
    type: "resource_link",
    uri: resource,
    name: "result",
    description: "The whole result; ?from=&to= (bytes) for a part",
    mimeType,
    size: bytes,
  }];
}

async function shortField(
  value: JsonValue | undefined,
  { maxBytes, keep }: { maxBytes: number; keep: (text: string, mimeType: string) => Promise<Kept> },
): Promise<JsonValue | undefined> {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === undefined || byteLength(text) <= maxBytes / 8) return value;
  const kept = await keep(text, typeof value === "string" ? "text/plain" : "application/json");
  return Array.isArray(value) || isJsonObject(value)
    ? kept
    : { ...kept, preview: text.slice(0, 1000).toWellFormed() };
}

function isText(block: ContentBlock): block is ContentBlock & { text: string } {
  return block.type === "text" && typeof block.text === "string";
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
