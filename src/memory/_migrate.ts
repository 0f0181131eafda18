import { SkillzError } from "../base/errors.ts";
import type { Database } from "./database.ts";
import { isLegacyTable, legacyStatements } from "./_legacy.ts";
import { CREATE_TABLES, CREATE_TRIGGERS, FILL_DERIVED, SCHEMA_VERSION } from "./_schema.ts";

/**
 * Brings a database to the schema of this edition, in one transaction.
 * Throws `unavailable`, and changes nothing, when it is of a version or shape that this edition does not know.
 */
export async function migrate(db: Database, options: { where: string; now: number }): Promise<void> {
  const version = await versionOf(db);
  if (version === SCHEMA_VERSION) return;
  const columns = new Set(
    (await db.rows("SELECT name FROM pragma_table_info('memories')")).map(([name]) => String(name)),
  );
  if (version > SCHEMA_VERSION || (columns.size > 0 && !isLegacyTable(columns))) {
    throw new SkillzError(
      "unavailable",
      `Cannot open memory ${options.where}: its schema version ${version} is unknown, at most ${SCHEMA_VERSION} is known`,
      {
        hint:
          "A newer edition wrote it: update this one, or move the file away to begin with an empty memory",
      },
    );
  }
  try {
    await db.batch([
      ...CREATE_TABLES,
      ...(columns.size > 0 ? legacyStatements(columns, options.now) : []),
      ...FILL_DERIVED,
      ...CREATE_TRIGGERS,
      `PRAGMA user_version = ${SCHEMA_VERSION}`,
    ].map((sql) => [sql] as const));
  } catch (error) {
    // Another server may have done it in between: then "table already exists" is good news.
    if (await versionOf(db) !== SCHEMA_VERSION) throw error;
  }
}

async function versionOf(db: Database): Promise<number> {
  return Number((await db.rows("PRAGMA user_version"))[0]?.[0] ?? 0);
}
