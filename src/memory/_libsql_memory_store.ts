import type { Bus } from "../base/bus.ts";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../base/json.ts";
import type { Database, SqlValue } from "./database.ts";
import { checkKey, checkNamespace, encodeValue, expiryOf, MEMORY_LIMITS } from "./limits.ts";
import type { MemoryEntry, MemoryStats, MemoryStore } from "./memory_store.ts";
import { prefixEnd } from "./_prefix_end.ts";
import { searchQuery } from "./_search_query.ts";
import { SQL } from "./_statements.ts";

/** Rows read, or deleted, at one go; other calls get their turn in between. */
const PAGE = 64;
const SEARCH_LIMIT = 20;
/** How often expired rows are looked for. */
const PURGE_EVERY_MS = 30_000;
/** More tries than servers that could sensibly change one key at the same moment. */
const UPDATE_TRIES = 100;

/** The store over any {@linkcode Database}, opened by the first call. */
export class LibsqlMemoryStore implements MemoryStore {
  readonly #open: () => Promise<Database>;
  readonly #now: () => number;
  readonly #bus: Bus | undefined;
  #database: Promise<Database> | undefined;
  #closed = false;
  #purgeAt = 0;

  /** Nothing is opened before the first call. */
  constructor(open: () => Promise<Database>, options: { now: () => number; bus?: Bus }) {
    this.#open = open;
    this.#now = options.now;
    this.#bus = options.bus;
  }

  async set(namespace: string, key: string, value: JsonValue, options: { ttl?: number } = {}): Promise<void> {
    const args = this.#entry(namespace, { key, value, ...options });
    await this.#write(namespace, (db) => db.run(SQL.set, args));
    this.#changed(namespace);
  }

  async get(namespace: string, key: string): Promise<MemoryEntry | undefined> {
    checkNamespace(namespace);
    checkKey(key);
    const db = await this.#ready();
    const [row] = await db.rows(SQL.get, [namespace, key, this.#now()]);
    return row && toEntry(row);
  }

  list(namespace: string, options: { prefix?: string; limit?: number } = {}): Promise<MemoryEntry[]> {
    return this.#paged(namespace, { ...options, sql: [SQL.list, SQL.listBelow], read: toEntry });
  }

  keys(namespace: string, options: { prefix?: string; limit?: number } = {}): Promise<string[]> {
    return this.#paged(namespace, {
      ...options,
      sql: [SQL.keys, SQL.keysBelow],
      read: ([key]) => String(key),
    });
  }

  async namespaces(): Promise<string[]> {
    const db = await this.#ready();
    return (await db.rows(SQL.namespaces, [this.#now()])).map(([name]) => String(name));
  }

  async delete(namespace: string, key: string): Promise<boolean> {
    checkNamespace(namespace);
    checkKey(key);
    const db = await this.#ready();
    const [gone] = await db.rows(SQL.delete, [namespace, key]);
    if (!gone) return false;
    const [expires] = gone;
    if (typeof expires === "number" && expires <= this.#now()) return false;
    this.#changed(namespace);
    return true;
  }

  async clear(namespace: string): Promise<number> {
    checkNamespace(namespace);
    const db = await this.#ready();
    const now = this.#now();
    // What is stored while this goes on stays; otherwise a busy writer could keep it going for ever.
    const last = (await db.rows(SQL.lastId, [namespace]))[0]?.[0] ?? 0;
    let alive = 0;
    for (;;) {
      const gone = await db.rows(SQL.clear, [namespace, last, PAGE]);
      alive += gone.filter(([expires]) => expires === null || Number(expires) > now).length;
      if (gone.length < PAGE) break;
      await turn();
    }
    if (alive > 0) this.#changed(namespace);
    return alive;
  }

  async bulkSet(
    namespace: string,
    entries: readonly { key: string; value: JsonValue; ttl?: number }[],
  ): Promise<void> {
    checkNamespace(namespace);
    if (entries.length === 0) return;
    if (entries.length > MEMORY_LIMITS.bulkEntries) throw bulkLimit(`${entries.length} entries`);
    const rows = entries.map((entry) => this.#entry(namespace, entry));
    const size = rows.reduce((sum, row) => sum + String(row[2]).length, 0);
    if (size > MEMORY_LIMITS.bulkBytes) throw bulkLimit(`${size} characters`);
    await this.#write(namespace, (db) => db.batch(rows.map((args) => [SQL.set, args])));
    this.#changed(namespace);
  }

  async search(namespace: string, query: string, options: { limit?: number } = {}): Promise<MemoryEntry[]> {
    checkNamespace(namespace);
    const db = await this.#ready();
    const expression = searchQuery(namespace, query);
    if (expression === undefined) return [];
    const limit = options.limit ?? SEARCH_LIMIT;
    return (await db.rows(SQL.search, [expression, namespace, this.#now(), limit])).map(toEntry);
  }

  async update(
    namespace: string,
    key: string,
    patch: JsonObject,
    options: { ttl?: number } = {},
  ): Promise<JsonValue> {
    checkNamespace(namespace);
    checkKey(key);
    for (let attempt = 0; attempt < UPDATE_TRIES; attempt++) {
      const db = await this.#ready();
      const now = this.#now();
      const [row] = await db.rows(SQL.get, [namespace, key, now]);
      const entry = row && toEntry(row);
      if (entry && !isJsonObject(entry.value)) {
        const type = jsonTypeOf(entry.value);
        throw new SkillzError(
          "conflict",
          `Cannot update value in memory: it is of type ${type}, an object is needed`,
          {
            hint: "Store a new value instead",
          },
        );
      }
      const value = { ...(entry && isJsonObject(entry.value) ? entry.value : {}), ...patch };
      const text = encodeValue(value);
      const expires = options.ttl === undefined ? row?.[4] ?? null : expiryOf(options.ttl, now);
      // Written only if it is still what was read: another server, or another call, may have been quicker.
      const written = await this.#write(
        namespace,
        (db) =>
          row
            ? db.run(SQL.replace, [namespace, key, text, now, expires, String(row[1])])
            : db.run(SQL.add, [namespace, key, text, now, expires]),
      );
      if (written === 0) continue;
      this.#changed(namespace);
      return JSON.parse(text);
    }
    throw new SkillzError(
      "conflict",
      "Cannot update value in memory: others change it all the time, try again later",
    );
  }

  async stats(namespace?: string): Promise<MemoryStats> {
    if (namespace !== undefined) checkNamespace(namespace);
    const db = await this.#ready();
    const now = this.#now();
    const [row] = namespace === undefined
      ? await db.rows(SQL.statsOfAll, [now])
      : await db.rows(SQL.stats, [namespace, now]);
    const [entries, bytes, namespaces] = row ?? [];
    return { entries: Number(entries ?? 0), bytes: Number(bytes ?? 0), namespaces: Number(namespaces ?? 0) };
  }

  /** Closes the database, if it was opened; harmless when repeated. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    const opened = this.#database;
    this.#database = undefined;
    // An opening that failed told whoever asked for it.
    const db = await opened?.catch(() => undefined);
    await db?.[Symbol.asyncDispose]();
  }

  #entry(namespace: string, entry: { key: string; value: JsonValue; ttl?: number }): SqlValue[] {
    checkNamespace(namespace);
    checkKey(entry.key);
    const now = this.#now();
    return [namespace, entry.key, encodeValue(entry.value), now, expiryOf(entry.ttl, now)];
  }

  async #paged<T>(
    namespace: string,
    options: {
      prefix?: string;
      limit?: number;
      sql: readonly [string, string];
      read: (row: SqlValue[]) => T;
    },
  ): Promise<T[]> {
    checkNamespace(namespace);
    const db = await this.#ready();
    const { prefix = "", limit = Infinity, sql: [all, below], read } = options;
    const end = prefixEnd(prefix);
    const found: T[] = [];
    let from = prefix;
    let after = "";
    while (found.length < limit) {
      const page = Math.min(PAGE, limit - found.length);
      const args = [namespace, from, after, this.#now(), page];
      const rows = end === undefined ? await db.rows(all, args) : await db.rows(below, [...args, end]);
      for (const row of rows) found.push(read(row));
      if (rows.length < page) break;
      from = after = String(rows.at(-1)?.[0]);
      await turn();
    }
    return found;
  }

  /** Writes; when a namespace is full, expired rows make room first. */
  async #write<T>(namespace: string, work: (db: Database) => Promise<T>): Promise<T> {
    const db = await this.#ready();
    try {
      return await work(db);
    } catch (error) {
      if (!(error instanceof SkillzError) || error.code !== "limit") throw error;
      const gone = await db.run(SQL.purgeNamespace, [namespace, this.#now()]);
      if (gone === 0) throw error;
      return await work(db);
    }
  }

  async #ready(): Promise<Database> {
    if (this.#closed) {
      throw new SkillzError("unavailable", "Cannot use memory: it is closed, the server is ending");
    }
    const opening = this.#database ??= this.#open();
    let db: Database;
    try {
      db = await opening;
    } catch (error) {
      if (this.#database === opening) this.#database = undefined;
      throw error;
    }
    if (this.#now() >= this.#purgeAt) await this.#purge(db);
    return db;
  }

  /** Deletes some expired rows for good; more at the next call when there are many. */
  async #purge(db: Database): Promise<void> {
    const now = this.#now();
    this.#purgeAt = now + PURGE_EVERY_MS;
    try {
      const gone = await db.rows(SQL.purge, [now, PAGE]);
      if (gone.length === PAGE) this.#purgeAt = now;
      for (const namespace of new Set(gone.map(([name]) => String(name)))) this.#changed(namespace);
    } catch {
      // They are invisible already; whoever called wants something else, and the next purge tries again.
    }
  }

  #changed(namespace: string): void {
    this.#bus?.publish({ kind: "memory", change: "updated", namespace });
  }
}

function toEntry([key, value, created, updated, expires]: SqlValue[]): MemoryEntry {
  return {
    key: String(key),
    value: parse(String(value)),
    created_at: new Date(Number(created)).toISOString(),
    updated_at: new Date(Number(updated)).toISOString(),
    ...(typeof expires === "number" ? { expires_at: new Date(expires).toISOString() } : {}),
  };
}

/** A value that some other program wrote and that is no JSON is still worth showing. */
function parse(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function bulkLimit(given: string): SkillzError {
  const { bulkEntries, bulkBytes } = MEMORY_LIMITS;
  return new SkillzError(
    "limit",
    `Cannot store entries in memory: ${given} were given, at most ${bulkEntries} entries or ${bulkBytes} bytes at once`,
    { hint: "Store them in several parts" },
  );
}

/** Lets other work of the event loop go first. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
