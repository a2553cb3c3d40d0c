// A change of the schema of an open database that no statement of SQL makes.
import type { Sqlite } from './sqlite.ts';

/**
 * Runs one statement that writes to `sqlite_schema`, inside the caller's transaction, and reads the schema again
 * (https://www.sqlite.org/pragma.html#pragma_writable_schema).
 */
export function changeSchema(database: Sqlite, sql: string, ...values: readonly string[]): void {
  database.unsafeMode(true);
  try {
    database.pragma('writable_schema = ON');
    database.prepare<string[]>(sql).run(...values);
    database.pragma('writable_schema = RESET');
  } finally {
    database.unsafeMode(false);
  }
}
