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
  const db = new LocalDatabase(() => new Engine(path, { timeout: TRY_MS }), where);
  try {
    await db.rows("PRAGMA user_version");
    return db;
  } catch (error) {
    await db[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * One connection. Two habits of libSQL's binding shape it, both seen in tests:
 * - A statement that failed because of a lock stays half run until it is used again or collected, and as long as that
 *   is so, SQLite does not commit what other statements write. So locks are only ever taken by `exec`, which leaves
 *   nothing behind, and prepared statements run inside.
 * - A reading statement that was not read to its end answers the next question with old rows. So all are.
 */
class LocalDatabase implements Database {
  readonly #connect: () => Libsql.Database;
  readonly #where: string;
  readonly #prepared = new Map<string, Prepared>();
  readonly #closing = new AbortController();
  readonly #waiting = new Set<Promise<void>>();
  #connection: Libsql.Database | undefined;

  constructor(connect: () => Libsql.Database, where: string) {
    this.#connect = connect;
    this.#where = where;
  }

  rows(sql: string, args: readonly SqlValue[] = []): Promise<SqlValue[][]> {
    const read = () => this.#prepare(sql).all(args) as SqlValue[][];
    return this.#retried(/^(SELECT|WITH|PRAGMA)\b/.test(sql) ? read : () => this.#locked(read));
  }

  run(sql: string, args: readonly SqlValue[] = []): Promise<number> {
    return this.#retried(() => this.#locked(() => this.#prepare(sql).run(args).changes));
  }

  batch(statements: readonly Statement[]): Promise<void> {
    return this.#retried(() =>
      this.#locked((connection) => {
        // Those without arguments make tables and triggers: run once, not worth keeping.
        for (const [sql, args] of statements) args ? this.#prepare(sql).run(args) : connection.exec(sql);
      })
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.all(this.#waiting);
    try {
      // Folds the log into the file, so that a copy of the file alone is whole. Not possible while others write.
      this.#connection?.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The log is as good: whoever opens the file next reads it too.
    }
    this.#disconnect();
  }

  #open(): Libsql.Database {
    if (this.#connection) return this.#connection;
    const connection = this.#connect();
    try {
      connection.exec("PRAGMA journal_mode = WAL");
      connection.exec("PRAGMA synchronous = NORMAL");
    } catch (error) {
      connection.close();
      throw error;
    }
    return this.#connection = connection;
  }

  #disconnect(): void {
    this.#prepared.clear();
    this.#connection?.close();
    this.#connection = undefined;
  }

  #prepare(sql: string): Prepared {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#open().prepare(sql);
      if (statement.reader) statement.raw(true);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** Does `work` in a transaction of its own that has the lock from the start. */
  #locked<T>(work: (connection: Libsql.Database) => T): T {
    const connection = this.#open();
    connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work(connection);
      connection.exec("COMMIT");
      return result;
    } finally {
      if (connection.inTransaction) connection.exec("ROLLBACK");
    }
  }

  /** Does `work`, again and again while another process has the lock; the event loop goes on in between. */
  async #retried<T>(work: () => T): Promise<T> {
    const until = performance.now() + BUSY_LIMIT_MS;
    for (let attempt = 1;; attempt++) {
      if (this.#closing.signal.aborted) {
        throw new SkillzError(
          "unavailable",
          `Cannot use memory ${this.#where}: it is closed, the server is ending`,
        );
      }
      try {
        return work();
      } catch (error) {
        const busy = databaseCode(error) === "SQLITE_BUSY";
        if (busy && performance.now() < until) {
          await this.#pause(Math.random() * Math.min(MAX_PAUSE_MS, attempt * 2));
          continue;
        }
        // A statement that is given up half run must not stay with the connection.
        if (busy) this.#disconnect();
        throw databaseError(error, this.#where);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#closing;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const end = () => resolve();
    signal.addEventListener("abort", end);
    this.#waiting.add(promise);
    await promise;
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    this.#waiting.delete(promise);
  }
}
