// Statements over an open SQLite file: they run when they are called, and work over them has its result in one step.
import type { Statement } from 'better-sqlite3';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { type Sql, sqliteDialect } from './sql.ts';
import { Answered } from './work.ts';

/** Over one open database, whose transactions stay its own: what is called inside of one belongs to it. */
export function sqliteSql(database: Sqlite): Sql {
  return {
    dialect: sqliteDialect,
    prepare: (text) => over(database.prepare<unknown[]>(text)),
    pluck: (text) => over(database.prepare<unknown[]>(text).pluck()),
    prepareInsert(text) {
      const statement = database.prepare<unknown[]>(text);
      return {
        insert(...values) {
          const { changes, lastInsertRowid } = statement.run(...values);
          return new Answered(changes === 0 ? undefined : Number(lastInsertRowid));
        },
      };
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what a statement takes and gives is declared by who prepares it
function over(statement: Statement<unknown[]>): any {
  return {
    all: (...values: unknown[]) => new Answered(statement.all(...values)),
    get: (...values: unknown[]) => new Answered(statement.get(...values)),
    run: (...values: unknown[]) => new Answered(statement.run(...values).changes),
  };
}
