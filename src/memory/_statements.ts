const ENTRY = "e.key, e.value, e.created_at, e.updated_at, e.expires_at";
const ALIVE = (now: string) => `(e.expires_at IS NULL OR e.expires_at > ${now})`;

/** From `?2` on, after `?3` (the last key of the page before), alive at `?4`, at most `?5`, and below `?6`. */
const PAGE_OF = (columns: string, below: string) =>
  `SELECT ${columns} FROM memory_entries e
   WHERE e.tool = ?1 AND e.key >= ?2 AND e.key > ?3 ${below} AND ${ALIVE("?4")} ORDER BY e.key LIMIT ?5`;

/** Every statement of the store; each is prepared once. */
export const SQL = {
  /** An entry that had expired begins anew. */
  set: `INSERT INTO memory_entries AS e (tool, key, value, created_at, updated_at, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?4, ?5)
    ON CONFLICT (tool, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
      created_at = iif(${ALIVE("excluded.updated_at")}, e.created_at, excluded.created_at),
      expires_at = excluded.expires_at`,
  /** Like `set`, but changes nothing when somebody has stored a live entry meanwhile. */
  add: `INSERT INTO memory_entries AS e (tool, key, value, created_at, updated_at, expires_at)
    VALUES (?1, ?2, ?3, ?4, ?4, ?5)
    ON CONFLICT (tool, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
      created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE NOT ${ALIVE("excluded.updated_at")}`,
  replace: `UPDATE memory_entries SET value = ?3, updated_at = ?4, expires_at = ?5
    WHERE tool = ?1 AND key = ?2 AND value = ?6`,
  get: `SELECT ${ENTRY} FROM memory_entries e WHERE e.tool = ?1 AND e.key = ?2 AND ${ALIVE("?3")}`,
  list: PAGE_OF(ENTRY, ""),
  listBelow: PAGE_OF(ENTRY, "AND e.key < ?6"),
  keys: PAGE_OF("e.key", ""),
  keysBelow: PAGE_OF("e.key", "AND e.key < ?6"),
  delete: "DELETE FROM memory_entries WHERE tool = ?1 AND key = ?2 RETURNING expires_at",
  lastId: "SELECT max(id) FROM memory_entries WHERE tool = ?1",
  clear: `DELETE FROM memory_entries WHERE id IN
    (SELECT id FROM memory_entries WHERE tool = ?1 AND id <= ?2 LIMIT ?3) RETURNING expires_at`,
  search: `SELECT ${ENTRY} FROM memory_index JOIN memory_entries e ON e.id = memory_index.rowid
    WHERE memory_index MATCH ?1 AND e.tool = ?2 AND ${ALIVE("?3")}
    ORDER BY bm25(memory_index, 0, 4, 1), e.key LIMIT ?4`,
  namespaces: `SELECT u.tool FROM memory_usage u WHERE EXISTS
    (SELECT 1 FROM memory_entries e WHERE e.tool = u.tool AND ${ALIVE("?1")}) ORDER BY u.tool`,
  stats: statistics("u.tool = ?1", "x.tool = ?1 AND x.expires_at <= ?2"),
  statsOfAll: statistics("TRUE", "x.expires_at <= ?1"),
  purge: `DELETE FROM memory_entries WHERE id IN
    (SELECT id FROM memory_entries WHERE expires_at <= ?1 LIMIT ?2) RETURNING tool`,
  purgeNamespace: "DELETE FROM memory_entries WHERE tool = ?1 AND expires_at <= ?2",
} as const;

/** The counters without what has expired and is not deleted yet. */
function statistics(which: string, expired: string): string {
  return `WITH gone AS (
      SELECT x.tool, count(*) AS entries, sum(octet_length(x.key) + octet_length(x.value)) AS bytes
      FROM memory_entries x WHERE ${expired} GROUP BY x.tool
    ), alive AS (
      SELECT u.entries - coalesce(g.entries, 0) AS entries, u.bytes - coalesce(g.bytes, 0) AS bytes
      FROM memory_usage u LEFT JOIN gone g ON g.tool = u.tool WHERE ${which}
    )
    SELECT sum(entries), sum(bytes), count(*) FROM alive WHERE entries > 0`;
}
