// The tables of words in the language of their text.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { indexTextInItsLanguage } from '#memory/words/tokens.ts';

/**
 * One word index, and words in the language of their text. Rows of earlier versions are read as English until they are renewed in the
 * background, up to the newest of them; what only the former ranking read is emptied then, too.
 */
export const languageOfWords = `
ALTER TABLE global_memory_chunks ADD COLUMN language TEXT;
DROP TRIGGER global_memory_chunks_passage;
DROP INDEX global_memory_chunks_vector;
CREATE TABLE memory_words_work (done_to INTEGER NOT NULL, until INTEGER NOT NULL) STRICT;
INSERT INTO memory_words_work (done_to, until) SELECT 0, ifnull(max(row), 0) FROM global_memory_chunks;
`;

/** Records are also found by the words of their language. They are few: all are written at once. */
export function languageOfRecords(database: Sqlite): void {
  const write = database.prepare<[string, number]>('UPDATE memory_records SET terms = ? WHERE row = ?');
  const all = database.prepare<[], { row: number; content: string; terms: string }>(
    'SELECT row, content, terms FROM memory_records',
  );
  for (const { row, content, terms } of all.all()) {
    const now = indexTextInItsLanguage(content);
    if (now !== terms) write.run(now, row);
  }
}
