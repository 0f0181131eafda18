import { dirname } from "node:path";
import type Libsql from "libsql";
import { SkillzError } from "../base/errors.ts";
import type { Database, SqlValue, Statement } from "./database.ts";
import { databaseCode, databaseError } from "./_database_error.ts";

/** How long one try waits for another process's lock, blocking; given to the engine, so that no transaction loses it. */
const TRY_MS = 5;
/** How long tries go on, waiting without blocking in between. */
const BUSY_LIMIT_MS = 10_000;
const MAX_PAUSE_MS = 25;

type Prepared = ReturnType<Libsql.Database["prepare"]>;

/**
 * Opens an embedded libSQL file, made if absent (readable by its owner only).
 * The engine works synchronously, for microseconds a statement; statements are prepared once.
 */
export async function openLocal(path: string): Promise<Database> {
  const { default: Engine } = await import("libsql");
  const where = JSON.stringify(path);
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    (await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 })).close();
  } catch (cause) {
    throw new SkillzError("unavailable", `Cannot use memory ${where}: the file can't be opened`, {
      hint: "Make the file and its folder readable and writable",
      cause,
    });
  }
  let connection: Libsql.Database;
  try {
    // libSQL's own option; its type declarations, taken from better-sqlite3, have the same name.
    connection = new Engine(path, { timeout: TRY_MS });
  } catch (error) {
    throw databaseError(error, where);
  }
  const db = new LocalDatabase(connection, where);
  try {
    await db.rows("PRAGMA journal_mode = WAL");
    await db.rows("PRAGMA synchronous = NORMAL");
    return db;
  } catch (error) {
    await db[Symbol.asyncDispose]();
    throw error;
  }
}

class LocalDatabase implements Database {
  readonly #connection: Libsql.Database;
  readonly #where: string;
  readonly #prepared = new Map<string, Prepared>();
  readonly #closing = new AbortController();
  readonly #waiting = new Set<Promise<void>>();

  constructor(connection: Libsql.Database, where: string) {
    this.#connection = connection;
    this.#where = where;
  }

  rows(sql: string, args: readonly SqlValue[] = []): Promise<SqlValue[][]> {
    return this.#retried(() => this.#rows(sql, args));
  }

  run(sql: string, args: readonly SqlValue[] = []): Promise<number> {
    return this.#retried(() => this.#run(sql, args));
  }

  batch(statements: readonly Statement[]): Promise<void> {
    return this.#retried(() => {
      this.#run("BEGIN IMMEDIATE", []);
      try {
        // One-time statements (tables, triggers) are not worth keeping, and must not be: they change the schema.
        for (const [sql, args] of statements) args ? this.#run(sql, args) : this.#connection.exec(sql);
        this.#run("COMMIT", []);
      } finally {
        if (this.#connection.inTransaction) this.#run("ROLLBACK", []);
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.all(this.#waiting);
    try {
      // Folds the log into the file, so that a copy of the file alone is whole. Not possible while others write.
      this.#rows("PRAGMA wal_checkpoint(TRUNCATE)", []);
    } catch {
      // The log is as good: whoever opens the file next reads it too.
    }
    this.#prepared.clear();
    this.#connection.close();
  }

  // Reading statements are always read to the end: only that ends the read transaction, and in libSQL a statement
  // that was left half read answers the next question with old rows.
  #rows(sql: string, args: readonly SqlValue[]): SqlValue[][] {
    return this.#prepare(sql).all(args) as SqlValue[][];
  }

  #run(sql: string, args: readonly SqlValue[]): number {
    return this.#prepare(sql).run(args).changes;
  }

  #prepare(sql: string): Prepared {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      if (statement.reader) statement.raw(true);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** Does `work`, again and again while another process has the lock; the event loop goes on in between. */
  async #retried<T>(work: () => T): Promise<T> {
    const until = performance.now() + BUSY_LIMIT_MS;
    for (let attempt = 1;; attempt++) {
      this.#throwIfClosed();
      try {
        return work();
      } catch (error) {
        if (databaseCode(error) !== "SQLITE_BUSY" || performance.now() > until) {
          throw databaseError(error, this.#where);
        }
      }
      const pause = this.#pause(Math.random() * Math.min(MAX_PAUSE_MS, attempt * 2));
      this.#waiting.add(pause);
      await pause;
      this.#waiting.delete(pause);
    }
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { signal } = this.#closing;
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    return promise;
  }

  #throwIfClosed(): void {
    if (!this.#closing.signal.aborted) return;
    throw new SkillzError(
      "unavailable",
      `Cannot use memory ${this.#where}: it is closed, the server is ending`,
    );
  }
}
