// The tables of PostgreSQL and their versions: each part brings its own, and one place makes them.
import { ParleyError } from '#base/errors.ts';
import { explainPostgres } from './failures.ts';
import { type Postgres, type Queryable, refuseUnfitServer } from './postgres.ts';

/** The tables of one part: a migration's position in the list is its version (from 1), and it is never edited once shipped. */
export interface PostgresSchema {
  part: string;
  /** Statements of SQL, each list in one transaction. */
  migrations: readonly string[];
}

/** What instances that start at once wait for each other by. */
const migrationLock = 0x7061_726c;

/**
 * Brings all parts to their newest version, in one transaction and under a lock: of instances that start at once one migrates, and the others
 * find it done. Rejects as `refuseUnfitServer`, `refuseNewer` and `Postgres.transaction` do, and nothing is changed then.
 */
export async function migratePostgres(
  { transaction, place }: Pick<Postgres, 'transaction' | 'place'>,
  schemas: readonly PostgresSchema[],
  signal?: AbortSignal,
): Promise<void> {
  await transaction(async (database) => {
    await refuseUnfitServer(database, place);
    await database.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    // made only where there is none, so that a user without the right to make tables can use those that are there
    if (!(await refuseNewer(database, { schemas, place })))
      await database.query(
        'CREATE TABLE parley_schema (part text PRIMARY KEY, version integer NOT NULL, migrated_at timestamptz NOT NULL DEFAULT now())',
      );
    const versions = await versionsOf(database);
    for (const { part, migrations } of schemas) {
      const version = versions.get(part) ?? 0;
      for (const sql of migrations.slice(version)) await database.query(sql);
      if (version < migrations.length)
        await database.query(
          'INSERT INTO parley_schema (part, version) VALUES ($1, $2) ON CONFLICT (part) DO UPDATE SET version = excluded.version, migrated_at = now()',
          [part, migrations.length],
        );
    }
  }, signal);
}

/**
 * Whether there are tables of Parley at all. Rejects with a ParleyError `database_newer` where one is newer than this program knows, and
 * `database_rights` where there are none and this user may make none.
 */
export async function refuseNewer(
  database: Queryable,
  { schemas, place }: { schemas: readonly PostgresSchema[]; place: string },
): Promise<boolean> {
  const [found] = await database.query<{ exists: boolean; schema: string | null; mayMake: boolean | null }>(
    `SELECT to_regclass('parley_schema') IS NOT NULL AS exists, current_schema() AS schema,
            has_schema_privilege(current_schema(), 'CREATE') AS "mayMake"`,
  );
  if (found?.exists !== true) {
    if (found?.mayMake === true) return false;
    const said = `permission denied for ${found?.schema ? `schema ${found.schema}` : 'each schema of search_path'}`;
    throw explainPostgres(Object.assign(new Error(said), { code: '42501' }), place);
  }
  const versions = await versionsOf(database);
  for (const { part, migrations } of schemas) {
    const version = versions.get(part) ?? 0;
    if (version > migrations.length)
      throw new ParleyError(
        'database_newer',
        `The tables "${part}" of ${place} have version ${version}; this program knows ${migrations.length}.`,
        {
          hint: 'Start the newer program that made them on every machine, or give this one another database.',
        },
      );
  }
  return true;
}

async function versionsOf(database: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ part: string; version: number }>(
    'SELECT part, version FROM parley_schema',
  );
  return new Map(rows.map(({ part, version }) => [part, version]));
}
