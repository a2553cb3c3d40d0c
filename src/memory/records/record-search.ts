// How one engine finds governed records by their words: FTS5 in SQLite, a tsvector in PostgreSQL. What both find is ordered where it is asked for.
import type { Sql } from '#base/sql/sql.ts';
import { Answered, type Work } from '#base/sql/work.ts';
import { tsWord } from '#memory/tables/ts-words.ts';
import { quoted } from '#memory/tables/word-query.ts';
import { fullTextWords } from '#memory/words/full-text-words.ts';

export interface RecordSearch {
  /** SQL: whether a record holds what the parameter asks for. */
  has(parameter: string): string;
  /** SQL after FROM: the records that hold it, up to a condition that AND may follow. */
  ranked(parameter: string): string;
  /** SQL: how relevant such a record is, at or below zero, the less the more. */
  rank(parameter: string): string;
  /** What a parameter is for records with any of these words. */
  any(words: readonly string[]): string;
  /** For records with a word of each of these groups; of no group it finds nothing. */
  all(groups: readonly (readonly string[])[]): string;
  /** The words of a record that has been written, in the caller's transaction. */
  index(id: string, terms: string): Work<unknown>;
}

export function createRecordSearch(sql: Sql): RecordSearch {
  return sql.dialect.name === 'sqlite' ? fts5 : tsvector(sql);
}

const fts5: RecordSearch = {
  has: (parameter) =>
    `memory_records.row IN (SELECT rowid FROM memory_records_fts WHERE memory_records_fts MATCH ${parameter})`,
  ranked: (parameter) =>
    `memory_records_fts JOIN memory_records ON memory_records.row = memory_records_fts.rowid
     WHERE memory_records_fts MATCH ${parameter}`,
  rank: () => 'bm25(memory_records_fts)',
  any: (words) => words.map(quoted).join(' OR '),
  all: (groups) =>
    groups.length === 0 ? '""' : groups.map((words) => `(${words.map(quoted).join(' OR ')})`).join(' AND '),
  index: () => new Answered(undefined), // a trigger does it
};

function tsvector(sql: Sql): RecordSearch {
  const write = sql.prepare<[readonly string[], string], never>(
    'UPDATE memory_records SET words = array_to_tsvector(?::text[]) WHERE id = ?',
  );
  const anyOf = (words: readonly string[]): string => `(${words.map((word) => tsWord(word)).join(' | ')})`;
  return {
    has: (parameter) => `words @@ ${parameter}::tsquery`,
    ranked: (parameter) => `memory_records WHERE words @@ ${parameter}::tsquery`,
    rank: (parameter) => `-ts_rank(words, ${parameter}::tsquery)`,
    any: anyOf,
    all: (groups) => groups.map(anyOf).join(' & '),
    index: (id, terms) => write.run([...fullTextWords(terms)], id),
  };
}
