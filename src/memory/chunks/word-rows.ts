// Which rows of a scope hold words: by an index in memory where there are few, by the full text of chunks where there are many.
import { memoize } from '#base/caches/memoize.ts';
import { Answered, type Work, type Working, working } from '#base/sql/work.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { languageWord, largeShare, type ScopeFilter } from '#memory/tables/audience.ts';
import { allOf, anyOf, matchOf, scopeWord, type WordQuery } from '#memory/tables/word-query.ts';
import { joinsWords, type StemmedLanguage, stemIn, stemmedLanguages } from '#memory/words/languages.ts';
import type { ChunkRow } from './chunk-row.ts';
import { createScopeRows, maxScopes } from './scope-rows.ts';
import { createWordIndex, type RowsOf, type WordIndex } from './word-index.ts';

/** What is known of the words of rows; `now` only while nothing else is awaited. */
export interface WordRows extends Pick<WordIndex, 'added' | 'changes' | 'changed'> {
  /** Rows inside the scope that fulfil the query, newest first, at most `limit`. */
  rowsWith(query: WordQuery, readable: ScopeFilter, limit: number): number[];
  /**
   * For each word, as the query that finds it, the rows inside the scope that fulfil it, newest first; of very many the newest, and about
   * how many there are. `total` is about how many rows the scope reads.
   */
  holding(words: readonly WordQuery[], within: { readable: ScopeFilter; total: number }): Posting[];
  /** The languages next to English that there are in the scope. */
  languages(within: { readable: ScopeFilter; total: number }): StemmedLanguage[];
  /** About how many rows the scope reads. */
  total(readable: ScopeFilter): number;
  /** Plain indexed words of any scope that open with these letters: for finding what a misspelt word may have meant. Never shown. */
  wordsWith(opening: string): string[];
  /** The number of the newest row; at least as large as how many there are. */
  newest(): number;
}

/** The words of a row, by the columns that hold them. */
export type RowWords = Pick<ChunkRow, 'said_terms' | 'answered_terms' | 'about_terms' | 'scope_terms'>;

/** How one engine finds rows by their words, and is told of them. */
export interface WordWork extends Working<WordRows> {
  /** A row has been stored with these words. */
  index(row: number, words: RowWords): Work<unknown>;
  /** The words of a row, announced by `changes`, have been written anew. */
  rewritten(row: number, words: RowWords): Work<unknown>;
}

/** The rows of a scope that hold a word. */
export interface Posting {
  rows: readonly number[];
  count: number;
}

/** Rows of one word that are read, newest first: a word in more rows than this distinguishes little. */
export const maxRowsOfWord = 2_000;

/** The rows of a word, newest first, where the newest row of all has the number `last`: of very many rows the newest are as dense as all. */
export function postingOf(rows: readonly number[], last: number): Posting {
  if (rows.length < maxRowsOfWord) return { rows, count: rows.length };
  const seen = Math.max(1, last - (rows.at(-1) ?? 0));
  return { rows, count: Math.max(rows.length, Math.round((rows.length * last) / seen)) };
}

/** What finds a word by its form in each language; languages that look for the same share one query. English is what has no separate language. */
export function queryFor(plain: string, forms: readonly (readonly [StemmedLanguage, string])[]): WordQuery {
  const letters = beginningOf(plain);
  const longer: WordQuery[] = letters.length >= minBegun ? [{ type: 'opening', letters }] : [];
  const asked = Map.groupBy(forms, ([language, form]) => `${form} ${joinsWords(language)}`);
  return anyOf(
    [...asked.values()].map((of) => {
      const [[language, word] = ['en', plain] as const] = of;
      const held = anyOf([{ type: 'word', in: 'text', word }, ...(joinsWords(language) ? longer : [])]);
      if (of.some(([each]) => each === 'en')) return held;
      return allOf([held, anyOf(of.map(([each]) => scopeWord(languageWord(each))))]);
    }),
  );
}

const otherLanguages = stemmedLanguages.filter((language) => language !== 'en');

/** Letters of a word that others may begin with, where two words are written as one, and those of them that are looked for. */
const [minWord, minBegun] = [5, 4];

/** What such words begin with: the word as it is written (`keller`, whose stem is `kell`), as far as the English stems of full text leave it. */
function beginningOf(plain: string): string {
  const stemmed = stemIn('en', plain);
  const end = [...plain].findIndex((letter, at) => letter !== stemmed[at]);
  return plain.length < minWord ? '' : plain.slice(0, end < 0 ? plain.length : end);
}

/** The words of an open file: its full text, and an index in memory where there are few rows. */
export function createSqliteWords(database: Sqlite): WordWork {
  const index = database.prepare<unknown[]>(
    'INSERT INTO global_memory_fts (rowid, said_terms, answered_terms, about_terms, scope_terms) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    ...working(createWordRows(database)),
    index(row, { said_terms, answered_terms, about_terms, scope_terms }) {
      return new Answered(index.run(row, said_terms, answered_terms, about_terms, scope_terms));
    },
    rewritten: () => new Answered(undefined), // a trigger does it
  };
}

/** The statements over one open database. */
function createWordRows(database: Sqlite): WordRows {
  const index = createWordIndex(database);
  const matching = database
    .prepare<[string, number], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck();
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const words = database
    .prepare<[string, string], string>('SELECT term FROM global_memory_words WHERE term >= ? AND term < ?')
    .pluck();
  const rowsOfScope = createScopeRows(database);
  // a language that is forgotten there stays: to look for its words then finds nothing
  const languagesMet = memoize(maxScopes, (_match) => new Set<StemmedLanguage>());
  const byFullText: RowsOf = (query, most) => matching.all(matchOf(query), most);
  const rowsNow = (): RowsOf => index.now()?.rows ?? byFullText;
  const posting = (rows: readonly number[]): Posting =>
    postingOf(rows, rows.length < maxRowsOfWord ? 0 : (newest.get() ?? 0));
  /** Finds the newest rows of a scope that fulfil a query, in a scope of about `total` rows. */
  const inScope = (scope: WordQuery, total: number): RowsOf => {
    const isSmall = (): boolean => total < largeShare * (newest.get() ?? 0);
    const quick = index.now()?.rows ?? (isSmall() ? byFullText : undefined);
    if (quick !== undefined) return (query, most) => quick(allOf([query, scope]), most);
    // full text walks through the whole of a large scope, for each word, which takes most of a question
    const has = rowsOfScope(matchOf(scope));
    return (query, most) => {
      for (let looked = most; ; looked *= 2) {
        const anywhere = byFullText(query, looked);
        const rows = anywhere.filter(has);
        if (rows.length >= most || anywhere.length < looked) return rows.slice(0, most);
      }
    };
  };
  return {
    added: index.added,
    changes: index.changes,
    changed: index.changed,
    rowsWith: (query, { query: scope }, limit) =>
      scope === undefined ? [] : rowsNow()(allOf([query, scope]), limit),
    holding(asked, { readable: { query: scope }, total }) {
      if (scope === undefined) return asked.map(() => ({ rows: [], count: 0 }));
      const rowsIn = inScope(scope, total);
      return asked.map((query) => posting(rowsIn(query, maxRowsOfWord)));
    },
    languages({ readable: { match, query: scope }, total }) {
      if (scope === undefined || match === undefined) return [];
      const met = languagesMet(match);
      const rowsIn = inScope(scope, total);
      const isThere = (among: readonly StemmedLanguage[]): boolean =>
        rowsIn(anyOf(among.map((one) => scopeWord(languageWord(one)))), 1).length > 0;
      const others = otherLanguages.filter((one) => !met.has(one));
      // most memories are in English: one look instead of one for each language
      if (others.length > 0 && isThere(others)) for (const one of others) if (isThere([one])) met.add(one);
      return otherLanguages.filter((one) => met.has(one));
    },
    total: ({ query }) => (query === undefined ? 0 : posting(rowsNow()(query, maxRowsOfWord)).count),
    wordsWith: (opening) => index.now()?.wordsWith(opening) ?? words.all(opening, `${opening}~`),
    newest: () => newest.get() ?? 0,
  };
}
