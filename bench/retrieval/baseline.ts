// What plain SQLite gives: FTS5 with the porter stemmer, the question's words joined by OR, usual words left out. Nothing of Parley is in it.
import Database from 'better-sqlite3';

export interface Baseline {
  /** Ids, best first. */
  search(question: string, limit: number): string[];
  close(): void;
}

const usual = new Set(
  `a about after all also am an and any are as at be been before being but by can could did do does for from had has have he her his how i if
  in into is it its may me might my no not of on or our she should so than that the their them then there they this to too was we were what when
  where which who who whose why will with would you your`.split(/\s+/),
);

/** An index over texts, in memory. */
export function createBaseline(texts: readonly { id: string; text: string }[]): Baseline {
  const database = new Database(':memory:');
  database.exec("CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, text, tokenize = 'porter unicode61')");
  const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
  for (const { id, text } of texts) insert.run(id, text);
  const search = database
    .prepare<[string, number], string>('SELECT id FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?')
    .pluck();
  return {
    search(question, limit) {
      const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const meant = words.filter((word) => !usual.has(word));
      const asked = [...new Set(meant.length > 0 ? meant : words)].map((word) => `"${word}"`);
      return asked.length === 0 ? [] : search.all(asked.join(' OR '), limit);
    },
    close: () => void database.close(),
  };
}
