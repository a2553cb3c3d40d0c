// Whether there are rows that most of the time are not there, without asking the database each time.
import type { Sqlite } from './sqlite.ts';

export interface RareRows {
  /** False when there are none. */
  exist(): boolean;
  /** One may have been written. */
  written(): void;
}

/**
 * Rows of a table that this process alone writes, or of which it is no harm to see another process's at the next start; `condition` is SQL
 * after `FROM`, with a condition that an index answers. The database is asked at first, and again only once one may have been written since the last answer was no.
 */
export function createRareRows(database: Sqlite, condition: string): RareRows {
  const find = database.prepare<[], 0 | 1>(`SELECT EXISTS (SELECT 1 FROM ${condition})`).pluck();
  let may = true;
  return {
    exist() {
      if (!may) return false;
      const there = find.get() === 1;
      // what a transaction removes may come back with it
      if (!there && !database.inTransaction) may = false;
      return there;
    },
    written() {
      may = true;
    },
  };
}
