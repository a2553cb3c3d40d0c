// A statement that writes all columns of a row, named by the row itself.
import type { Sql } from '#base/sql/sql.ts';
import type { Work } from '#base/sql/work.ts';

/**
 * Compiles the statement with the first row; every later one has the same columns in the same order. They are bound by their place, since
 * to look each up by its name takes as long as to bind it; `more` are bound after them.
 */
export function createRowStatement<Row extends object>(
  sql: Sql,
  text: (columns: readonly string[]) => string,
): (row: Row, ...more: readonly unknown[]) => Work<number> {
  let statement: ReturnType<typeof sql.prepare<unknown[], never>> | undefined;
  return (row, ...more) => {
    statement ??= sql.prepare<unknown[], never>(text(Object.keys(row)));
    return statement.run(...Object.values(row), ...more);
  };
}

/** The same for an INSERT into a table whose rows are numbered: gives the number, or undefined where a conflict kept the row out. */
export function createRowInsert<Row extends object>(
  sql: Sql,
  text: (columns: readonly string[]) => string,
): (row: Row) => Work<number | undefined> {
  let statement: ReturnType<typeof sql.prepareInsert> | undefined;
  return (row) => {
    statement ??= sql.prepareInsert(text(Object.keys(row)));
    return statement.insert(...Object.values(row));
  };
}

/** The beginning of a statement that inserts a row with these columns. */
export function insertInto(table: string, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}
