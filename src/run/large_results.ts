import { tmpdir } from "node:os";
import { join } from "node:path";
import { SkillzError } from "../base/errors.ts";

/**
 * Results longer than this, in bytes of text, are shortened for clients: more than any model reads at once, and above
 * the megabyte that programs hand to each other without a thought.
 */
export const LARGE_RESULT_BYTES: number = 2 * 1024 * 1024;

/** Bounds of {@linkcode createLargeResults}. */
export interface LargeResultsOptions {
  /**
   * Most bytes of all kept results; the oldest go first.
   * @default 268435456
   */
  readonly maxBytes?: number;
  /**
   * How long a result can be read.
   * @default 3_600_000
   */
  readonly ttlMs?: number;
  /**
   * The clock, in milliseconds.
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Finds the folder for the private folder of the results.
   * @default the system's folder for temporary files
   */
  readonly parent?: () => Promise<string>;
}

/** A kept result, as its reader is told. */
export interface KeptResult {
  /** Can't be guessed. */
  readonly id: string;
  /** Length of the whole, in bytes of UTF-8. */
  readonly bytes: number;
}

/** A part of a kept result. */
export interface ResultPart {
  /** Whole characters. */
  readonly text: string;
  /** Media type of the whole. */
  readonly mimeType: string;
  /** Length of the whole, in bytes. */
  readonly bytes: number;
}

/** Which part of a result is wanted, in bytes. Parts that adjoin each other neither lose nor repeat a character. */
export interface ResultRange {
  /**
   * The first byte of it.
   * @default 0
   */
  readonly from?: number;
  /** The first byte after it. @default the end */
  readonly to?: number;
}

/**
 * Texts that were too long to be sent whole: kept for a while in a private folder, each for the session that it was
 * made for.
 */
export interface LargeResults extends AsyncDisposable {
  /** Keeps a text. */
  keep(text: string, options: { sessionId: string; mimeType: string }): Promise<KeptResult>;
  /** Reads one, or a part of it. Throws `not_found` for one that is not there, or not this session's. */
  read(id: string, options: ResultRange & { sessionId: string }): Promise<ResultPart>;
}

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly mimeType: string;
  readonly sessionId: string;
  readonly until: number;
}

/** Opens a place for large results; nothing is written before the first. */
export function createLargeResults(options: LargeResultsOptions = {}): LargeResults {
  return new KeptResults(options);
}

class KeptResults implements LargeResults {
  readonly #options: Required<LargeResultsOptions>;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  #folder: Promise<string> | undefined;
  #bytes = 0;

  constructor(options: LargeResultsOptions) {
    const {
      maxBytes = 256 * 1024 * 1024,
      ttlMs = 3_600_000,
      now = Date.now,
      parent = () => Promise.resolve(tmpdir()),
    } = options;
    this.#options = { maxBytes, ttlMs, now, parent };
  }

  async keep(text: string, { sessionId, mimeType }: { sessionId: string; mimeType: string }) {
    const { maxBytes, ttlMs, now, parent } = this.#options;
    // Loaded here and below: the module costs 3 MB, and few sessions ever have a large result.
    const { mkdtemp, writeFile } = await import("node:fs/promises");
    this.#folder ??= parent().then((folder) => mkdtemp(join(folder, "skillz-results-")));
    const id = crypto.randomUUID();
    const path = join(await this.#folder, id);
    const data = new TextEncoder().encode(text);
    await writeFile(path, data, { mode: 0o600 });
    this.#entries.set(id, { path, bytes: data.length, mimeType, sessionId, until: now() + ttlMs });
    this.#bytes += data.length;
    for (const [other, { until }] of [...this.#entries]) {
      if (other !== id && (until <= now() || this.#bytes > maxBytes)) await this.#drop(other);
    }
    return { id, bytes: data.length };
  }

  async read(id: string, { sessionId, from = 0, to }: ResultRange & { sessionId: string }) {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.sessionId !== sessionId || entry.until <= this.#options.now()) {
      throw new SkillzError(
        "not_found",
        `Cannot read result ${id}: it is not kept any more, or not for you`,
        {
          hint: "Call the tool again",
        },
      );
    }
    const { path, bytes, mimeType } = entry;
    const end = Math.min(to ?? bytes, bytes);
    return { text: await readText(path, { from, to: end }), mimeType, bytes };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#entries.clear();
    const folder = await this.#folder?.catch(() => undefined);
    if (folder === undefined) return;
    const { rm } = await import("node:fs/promises");
    await rm(folder, { recursive: true, force: true });
  }

  async #drop(id: string): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#bytes -= entry.bytes;
    const { rm } = await import("node:fs/promises");
    await rm(entry.path, { force: true });
  }
}

/** The characters that begin between two bytes. */
async function readText(path: string, { from, to }: { from: number; to: number }): Promise<string> {
  if (to <= from) return "";
  const { open } = await import("node:fs/promises");
  await using file = await open(path);
  // A character has at most three bytes after its first.
  const buffer = new Uint8Array(to - from + 3);
  let size = 0;
  while (size < buffer.length) {
    const { bytesRead } = await file.read(buffer, size, buffer.length - size, from + size);
    if (bytesRead === 0) break;
    size += bytesRead;
  }
  const isInner = (at: number) => at < size && ((buffer[at] ?? 0) & 0xc0) === 0x80;
  let start = 0;
  while (from > 0 && isInner(start)) start++;
  let end = Math.min(to - from, size);
  while (isInner(end)) end++;
  return new TextDecoder().decode(buffer.subarray(start, end));
}
