// Rows of earlier versions whose words are still to be made in the language of their text: durable, so that a restart continues from there.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { ChunkTexts } from './chunk-texts.ts';

export interface WordsWork {
  /** About how many rows are still to be gone over, and of how many. */
  left(): { rows: number; of: number };
  /** Goes over at most `limit` rows in one transaction; false when nothing was left. */
  step(limit: number): boolean;
}

/** The work in one open database. */
export function createWordsWork(database: Sqlite, texts: ChunkTexts): WordsWork {
  const state = database.prepare<[], { done_to: number; until: number }>(
    'SELECT done_to, until FROM memory_words_work',
  );
  const done = database.prepare<[number]>('UPDATE memory_words_work SET done_to = ?');
  const step = database.transaction((limit: number): boolean => {
    const { done_to = 0, until = 0 } = state.get() ?? {};
    if (done_to >= until) return false;
    const rows = texts
      .after(done_to, limit)
      .map(({ row }) => row)
      .filter((row) => row <= until);
    texts.reindex(rows);
    done.run(rows.length === 0 ? until : (rows.at(-1) ?? until));
    return true;
  });
  return {
    left() {
      const { done_to = 0, until = 0 } = state.get() ?? {};
      return { rows: until - done_to, of: until };
    },
    step: (limit) => step.immediate(limit),
  };
}
