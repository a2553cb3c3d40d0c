// The index by which a search finds the texts that may hold its own: brought up to date a moment after they are written, or by the search.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/**
 * The texts by every three characters that follow each other, by which a search finds the parts that may hold its text. What is masked or
 * removed leaves the index at once, and its bytes are overwritten.
 */
export const partWordsSchema = `
  CREATE VIRTUAL TABLE part_words USING fts5(
    text, content = 'parts', content_rowid = 'position', tokenize = 'trigram', detail = 'none'
  );
  INSERT INTO part_words (part_words, rank) VALUES ('secure-delete', 1);
  INSERT INTO part_words (rowid, text) SELECT position, text FROM parts WHERE type = 'text';
  CREATE TRIGGER part_words_insert AFTER INSERT ON parts WHEN new.type = 'text' BEGIN
    INSERT INTO part_words (rowid, text) VALUES (new.position, new.text);
  END;
  CREATE TRIGGER part_words_update AFTER UPDATE OF text ON parts WHEN new.type = 'text' AND new.text IS NOT old.text BEGIN
    INSERT INTO part_words (part_words, rowid, text) VALUES ('delete', old.position, old.text);
    INSERT INTO part_words (rowid, text) VALUES (new.position, new.text);
  END;
  CREATE TRIGGER part_words_delete AFTER DELETE ON parts WHEN old.type = 'text' BEGIN
    INSERT INTO part_words (part_words, rowid, text) VALUES ('delete', old.position, old.text);
  END;
`;

/**
 * Texts are indexed up to a position, some at a time: the index of one answer is as much to write as all else of it. A text beyond that
 * position may be changed or removed without the index.
 */
export const partWordsLaterSchema = `
  CREATE TABLE part_words_work (done_to INTEGER NOT NULL) STRICT;
  INSERT INTO part_words_work (done_to) SELECT coalesce(max(position), 0) FROM parts;
  DROP TRIGGER part_words_insert;
  DROP TRIGGER part_words_update;
  DROP TRIGGER part_words_delete;
  CREATE TRIGGER part_words_update AFTER UPDATE OF text ON parts
  WHEN new.type = 'text' AND new.text IS NOT old.text AND old.position <= (SELECT done_to FROM part_words_work WHERE rowid = 1) BEGIN
    INSERT INTO part_words (part_words, rowid, text) VALUES ('delete', old.position, old.text);
    INSERT INTO part_words (rowid, text) VALUES (new.position, new.text);
  END;
  CREATE TRIGGER part_words_delete AFTER DELETE ON parts
  WHEN old.type = 'text' AND old.position <= (SELECT done_to FROM part_words_work WHERE rowid = 1) BEGIN
    INSERT INTO part_words (part_words, rowid, text) VALUES ('delete', old.position, old.text);
  END;
`;

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
