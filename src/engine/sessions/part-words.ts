// The index by which a search finds the texts that may hold its own: brought up to date a moment after they are written, or by the search.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** Parts that are indexed in one transaction: some milliseconds. */
const atOnce = 200;

export interface PartWords {
  /** Indexes further texts, inside the caller's transaction; false when there are none left. */
  indexSome(): boolean;
}

/** Over a database with these tables. */
export function createPartWords(database: Sqlite): PartWords {
  const next = database
    .prepare<[number], number | null>(
      `SELECT max(position) FROM (SELECT position FROM parts
       WHERE position > (SELECT done_to FROM part_words_work WHERE rowid = 1) ORDER BY position LIMIT ?)`,
    )
    .pluck();
  const index = database.prepare<[number]>(
    `INSERT INTO part_words (rowid, text) SELECT position, text FROM parts
     WHERE position > (SELECT done_to FROM part_words_work WHERE rowid = 1) AND position <= ? AND type = 'text'`,
  );
  const done = database.prepare<[number]>('UPDATE part_words_work SET done_to = ? WHERE rowid = 1');
  return {
    indexSome() {
      const until = next.get(atOnce) ?? null;
      if (until === null) return false;
      index.run(until);
      done.run(until);
      return true;
    },
  };
}
