import { MEMORY_LIMITS } from "./limits.ts";

/** `PRAGMA user_version` of the schema below; the older edition's is 2. */
export const SCHEMA_VERSION = 3;

/** Messages that the triggers raise; `_database_error.ts` tells what they mean. */
export const LIMIT_RAISED = { entries: "memory_limit_entries", bytes: "memory_limit_bytes" } as const;

/** Characters of a value that search sees: indexing a whole MiB would hold up the server for a tenth of a second. */
const INDEXED_CHARACTERS = 16_384;

const SIZE = (row: string) => `octet_length(${row}.key) + octet_length(${row}.value)`;
const INDEXED = (row: string) =>
  `${row}.id, ${row}.tool, ${row}.key, substr(${row}.value, 1, ${INDEXED_CHARACTERS})`;
const INDEX_ROW = `INSERT INTO memory_index (rowid, tool, key, value) VALUES (${INDEXED("new")});`;
const UNINDEX_ROW = `INSERT INTO memory_index (memory_index, rowid, tool, key, value) VALUES ('delete', ${
  INDEXED("old")
});`;
const CHECK_BYTES = `
  SELECT RAISE(ABORT, '${LIMIT_RAISED.bytes}') FROM memory_usage
  WHERE tool = new.tool AND bytes > ${MEMORY_LIMITS.namespaceBytes}`;

/**
 * Times are milliseconds since the epoch. `memory_usage` counts what each namespace holds, so that limits and
 * statistics cost no scan; triggers keep it and the full-text index right whoever writes.
 */
export const CREATE_TABLES: readonly string[] = [
  `CREATE TABLE memory_entries (
    id INTEGER PRIMARY KEY,
    tool TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    expires_at INTEGER,
    UNIQUE (tool, key)
  )`,
  "CREATE INDEX memory_expiry ON memory_entries (expires_at) WHERE expires_at IS NOT NULL",
  "CREATE TABLE memory_usage (tool TEXT PRIMARY KEY, entries INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID",
  `CREATE VIEW memory_text AS
    SELECT id, tool, key, substr(value, 1, ${INDEXED_CHARACTERS}) AS value FROM memory_entries`,
  `CREATE VIRTUAL TABLE memory_index USING fts5 (
    tool, key, value, content = 'memory_text', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
  )`,
];

/** Made after an older file's rows are in, so that these are kept even when they are over a limit. */
export const CREATE_TRIGGERS: readonly string[] = [
  `CREATE TRIGGER memory_added AFTER INSERT ON memory_entries BEGIN
    ${INDEX_ROW}
    INSERT INTO memory_usage (tool, entries, bytes) VALUES (new.tool, 1, ${SIZE("new")})
      ON CONFLICT (tool) DO UPDATE SET entries = entries + 1, bytes = bytes + excluded.bytes;
    SELECT RAISE(ABORT, '${LIMIT_RAISED.entries}') FROM memory_usage
      WHERE tool = new.tool AND entries > ${MEMORY_LIMITS.namespaceEntries};
    ${CHECK_BYTES};
  END`,
  // An entry of a namespace that is over its limit can still be made smaller.
  `CREATE TRIGGER memory_changed AFTER UPDATE OF value ON memory_entries WHEN old.value IS NOT new.value BEGIN
    ${UNINDEX_ROW}
    ${INDEX_ROW}
    UPDATE memory_usage SET bytes = bytes + octet_length(new.value) - octet_length(old.value) WHERE tool = new.tool;
    ${CHECK_BYTES} AND octet_length(new.value) > octet_length(old.value);
  END`,
  `CREATE TRIGGER memory_removed AFTER DELETE ON memory_entries BEGIN
    ${UNINDEX_ROW}
    UPDATE memory_usage SET entries = entries - 1, bytes = bytes - (${SIZE("old")}) WHERE tool = old.tool;
    DELETE FROM memory_usage WHERE tool = old.tool AND entries <= 0;
  END`,
];

/** Fills what the triggers keep from the rows that are there already. */
export const FILL_DERIVED: readonly string[] = [
  `INSERT INTO memory_usage (tool, entries, bytes)
    SELECT tool, count(*), sum(octet_length(key) + octet_length(value)) FROM memory_entries GROUP BY tool`,
  "INSERT INTO memory_index (rowid, tool, key, value) SELECT id, tool, key, value FROM memory_text",
];
