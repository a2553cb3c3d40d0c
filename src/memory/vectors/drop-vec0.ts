// Tables that earlier versions made with the extension sqlite-vec, dropped without it.
import { changeSchema } from '#base/sqlite/change-schema.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/**
 * Drops every table of the module `vec0`, in one transaction. SQLite drops a virtual table by its module, which is not
 * loaded; so the table is taken out of the schema, and the tables behind it are ordinary ones then.
 */
export function dropVec0(database: Sqlite): void {
  const virtual = database
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE % USING vec0%'",
    )
    .pluck()
    .all();
  if (virtual.length === 0) return;
  const stored = database
    .prepare<[string], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ?")
    .pluck();
  const drop = database.transaction((): void => {
    changeSchema(
      database,
      "DELETE FROM sqlite_schema WHERE type = 'table' AND name IN (SELECT value FROM json_each(?))",
      JSON.stringify(virtual),
    );
    for (const name of virtual)
      for (const table of stored.all(`${name}_*`)) database.exec(`DROP TABLE ${table}`);
  });
  drop.immediate();
}
