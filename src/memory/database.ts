/** A value that goes into or comes out of a statement. */
export type SqlValue = string | number | null;

/** A statement with its arguments (`?1`, `?2`, …). */
export type Statement = readonly [sql: string, args?: readonly SqlValue[]];

/**
 * The little that the store needs of a database, the same for a file and for a remote server.
 * There are no interactive transactions on purpose: a batch is one round trip, and nothing can hold a lock for long.
 */
export interface Database extends AsyncDisposable {
  /** Rows of a reading (or `RETURNING`) statement, columns in order. */
  rows(sql: string, args?: readonly SqlValue[]): Promise<SqlValue[][]>;
  /** Runs a writing statement; returns how many rows it changed. */
  run(sql: string, args?: readonly SqlValue[]): Promise<number>;
  /** Runs writing statements, all or none. */
  batch(statements: readonly Statement[]): Promise<void>;
}
