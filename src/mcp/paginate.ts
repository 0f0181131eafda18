import { SkillzError } from "../base/errors.ts";

/**
 * Most entries of one page. Large on purpose: many clients never ask for a second page, and what stands there would
 * not exist for them.
 */
export const PAGE_SIZE = 2_000;

/** A part of a list. */
export interface Page<T> {
  /** What this page holds, in order. */
  readonly items: readonly T[];
  /** Where to go on; absent on the last page. */
  readonly nextCursor?: string;
}

/** Options of {@linkcode paginate}. */
export interface PaginateOptions<T> {
  /** Cursor as the client sent it. */
  readonly cursor?: string | undefined;
  /** Name of the list, so that a cursor of another list is refused. */
  readonly list: string;
  /** What identifies an entry. */
  readonly keyOf: (item: T) => string;
  /**
   * Most items of one page.
   * @default 2_000
   */
  readonly pageSize?: number;
  /**
   * Ends a page before its entries weigh more than that together; one entry is always there.
   * @default no bound
   */
  readonly weight?: { readonly of: (item: T) => number; readonly most: number };
}

/**
 * The page that a cursor points to. A cursor names the last entry that was sent, so that a list that changed in
 * between neither repeats nor skips entries as far as it can be helped.
 * Throws `SkillzError("invalid_input")` for a cursor that this list did not give.
 */
export function paginate<T>(all: readonly T[], options: PaginateOptions<T>): Page<T> {
  const size = options.pageSize ?? PAGE_SIZE;
  const start = options.cursor === undefined ? 0 : startOf(all, options.cursor, options);
  const slice = start === 0 && all.length <= size ? all : all.slice(start, start + size);
  const items = options.weight === undefined ? slice : lightEnough(slice, options.weight);
  const end = start + items.length;
  const last = items.at(-1);
  if (end >= all.length || last === undefined) return { items };
  return { items, nextCursor: encode([options.list, end, options.keyOf(last)]) };
}

function lightEnough<T>(
  items: readonly T[],
  { of, most }: NonNullable<PaginateOptions<T>["weight"]>,
): readonly T[] {
  let sum = 0;
  const end = items.findIndex((item, index) => (sum += of(item)) > most && index > 0);
  return end < 0 ? items : items.slice(0, end);
}

function startOf<T>(all: readonly T[], cursor: string, options: PaginateOptions<T>): number {
  const [list, end, key] = decode(cursor) ?? [];
  if (list !== options.list || end === undefined || key === undefined) {
    throw new SkillzError("invalid_input", `Cannot list ${options.list}: the cursor is unknown`, {
      hint: "Use nextCursor of the page before, or none to start anew",
    });
  }
  const before = all[end - 1];
  if (before !== undefined && options.keyOf(before) === key) return end;
  const moved = all.findIndex((item) => options.keyOf(item) === key);
  return moved < 0 ? Math.min(end, all.length) : moved + 1;
}

type Position = readonly [list: string, end: number, key: string];

function encode(position: Position): string {
  return new TextEncoder().encode(JSON.stringify(position)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

function decode(cursor: string): Position | undefined {
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: "base64url" });
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!Array.isArray(value) || value.length !== 3) return undefined;
    const [list, end, key] = value;
    if (typeof list !== "string" || typeof key !== "string") return undefined;
    return Number.isSafeInteger(end) && end > 0 ? [list, end, key] : undefined;
  } catch {
    return undefined;
  }
}
