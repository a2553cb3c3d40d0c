// A statement that writes all columns of a row, named by the row itself.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/**
 * Compiles the statement with the first row; every later one has the same columns in the same order. They are bound by their place, since
 * to look each up by its name takes as long as to bind it; `more` are bound after them.
 */
export function createRowStatement<Row extends object>(
  database: Sqlite,
  sql: (columns: readonly string[]) => string,
): (row: Row, ...more: readonly unknown[]) => { changes: number; lastInsertRowid: number | bigint } {
  let statement: ReturnType<typeof database.prepare<unknown[]>> | undefined;
  return (row, ...more) => {
    statement ??= database.prepare<unknown[]>(sql(Object.keys(row)));
    return statement.run(...Object.values(row), ...more);
  };
}

/** The beginning of a statement that inserts a row with these columns. */
export function insertInto(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}
