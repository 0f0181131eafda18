/** Columns that make a table `memories` the older edition's. */
const REQUIRED = ["tool", "key", "value"] as const;

/** Whether the older edition's rows can be taken over from a table `memories` with these columns. */
export function isLegacyTable(columns: ReadonlySet<string>): boolean {
  return REQUIRED.every((column) => columns.has(column));
}

/**
 * Statements that move the older edition's rows into `memory_entries`. Times were unix seconds or ISO text; one that
 * can't be read becomes `now`, or never for an expiry, so that no row is lost. A value that is no JSON becomes a string.
 */
export function legacyStatements(columns: ReadonlySet<string>, now: number): string[] {
  const time = (column: string, otherwise: string) =>
    columns.has(column) ? `coalesce(${milliseconds(column)}, ${otherwise})` : otherwise;
  const value = "CAST(value AS TEXT)";
  return [
    `INSERT INTO memory_entries (tool, key, value, created_at, updated_at, expires_at)
      SELECT CAST(tool AS TEXT), CAST(key AS TEXT),
        CASE WHEN json_valid(${value}) THEN ${value} ELSE json_quote(coalesce(${value}, '')) END,
        ${time("created_at", String(now))}, ${time("updated_at", String(now))}, ${time("expires_at", "NULL")}
      FROM memories WHERE tool IS NOT NULL AND key IS NOT NULL
      ORDER BY ${columns.has("updated_at") ? milliseconds("updated_at") : "1"}
      ON CONFLICT (tool, key) DO UPDATE SET value = excluded.value, created_at = excluded.created_at,
        updated_at = excluded.updated_at, expires_at = excluded.expires_at`,
    "DROP TABLE memories",
  ];
}

/** SQL that reads a time as milliseconds: a number (or its text) in seconds, or in milliseconds if it is that large. */
function milliseconds(column: string): string {
  const numeric = `(typeof(${column}) IN ('integer', 'real')
    OR (typeof(${column}) = 'text' AND ${column} GLOB '[0-9]*' AND ${column} NOT GLOB '*[^0-9.]*'))`;
  const number = `CAST(${column} AS REAL)`;
  const text = `julianday(trim(replace(${column}, ' UTC', '')))`;
  return `CASE
    WHEN ${numeric} AND ${number} >= 1e11 THEN CAST(${number} AS INTEGER)
    WHEN ${numeric} THEN CAST(round(${number} * 1000) AS INTEGER)
    WHEN typeof(${column}) = 'text' THEN CAST(round((${text} - 2440587.5) * 86400000) AS INTEGER)
  END`;
}
