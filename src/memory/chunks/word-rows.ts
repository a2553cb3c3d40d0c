// Which rows of a scope hold words, as the full text of chunks knows it.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { languageWord, largeShare, type ScopeFilter } from '#memory/tables/audience.ts';
import { joinsWords, type StemmedLanguage, stemmedLanguages } from '#memory/words/languages.ts';

export interface WordRows {
  /** Rows inside the scope that hold the full-text expression, newest first, at most `limit`. */
  rowsWith(expression: string, readable: ScopeFilter, limit: number): number[];
  /**
   * For each word, as the full-text expressions that find it, the rows inside the scope that fulfil one of them, newest first; of very
   * many the newest, and about how many there are. `total` is about how many rows the scope reads.
   */
  holding(words: readonly (readonly string[])[], within: { readable: ScopeFilter; total: number }): Posting[];
  /** The languages next to English that there are in the scope. */
  languages(readable: ScopeFilter): StemmedLanguage[];
  /** About how many rows the scope reads. */
  total(readable: ScopeFilter): number;
  /** Plain indexed words of any scope that open with these letters: for finding what a misspelt word may have meant. Never shown. */
  wordsWith(opening: string): string[];
  /** The number of the newest row; at least as large as how many there are. */
  newest(): number;
}

/** The rows of a scope that hold a word. */
export interface Posting {
  rows: readonly number[];
  count: number;
}

/** Columns whose words a query may meet; the scope's words are not among them. */
export const searched = '{said_terms answered_terms about_terms}';
/** Rows of one word that are read, newest first: a word in more rows than this distinguishes little. */
const maxRows = 2_000;

/** A word as a full-text string that no syntax can be read into. */
export function quoted(word: string): string {
  return `"${word.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}

/** Full-text expressions that find a word by its form in each language; languages that look for the same share one. English is what has no separate language. */
export function expressionsFor(forms: readonly (readonly [StemmedLanguage, string])[]): string[] {
  const asked = Map.groupBy(forms, ([language, form]) => {
    const begins = joinsWords(language) && form.length >= minBegun ? ' *' : '';
    return `${searched} : ${quoted(form)}${begins}`;
  });
  return [...asked].map(([held, of]) => {
    const words = of.map(([language]) => `"${languageWord(language)}"`);
    return of.some(([language]) => language === 'en')
      ? held
      : `(${held} AND {scope_terms} : (${words.join(' OR ')}))`;
  });
}

const otherLanguages = stemmedLanguages.filter((language) => language !== 'en');

/** Letters of a word that others may begin with, where two words are written as one. */
const minBegun = 5;

/** The statements over one open database. */
export function createWordRows(database: Sqlite): WordRows {
  const matching = database
    .prepare<[string, number], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck();
  const allMatching = database
    .prepare<[string], number>('SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ?')
    .pluck();
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const words = database
    .prepare<[string, string], string>('SELECT term FROM global_memory_words WHERE term >= ? AND term < ?')
    .pluck();
  /** Of very many rows the newest are as dense as all. */
  const estimated = (expression: string): Posting => {
    const rows = matching.all(expression, maxRows);
    if (rows.length < maxRows) return { rows, count: rows.length };
    const last = newest.get() ?? 0;
    const seen = Math.max(1, last - (rows.at(-1) ?? 0));
    return { rows, count: Math.max(rows.length, Math.round((rows.length * last) / seen)) };
  };
  const languagesOf = database
    .prepare<[string], string>(
      'SELECT DISTINCT language FROM global_memory_chunks WHERE row IN (SELECT value FROM json_each(?))',
    )
    .pluck();
  return {
    rowsWith: (expression, readable, limit) =>
      readable.match === undefined ? [] : matching.all(`(${expression}) AND ${readable.match}`, limit),
    holding(words, { readable: { match }, total }) {
      const nowhere: Posting = { rows: [], count: 0 };
      if (match === undefined) return words.map(() => nowhere);
      const asked = words.map((forms) => forms.join(' OR '));
      const inScope = (expression: string): Posting =>
        expression === '' ? nowhere : estimated(`(${expression}) AND ${match}`);
      // a large scope is walked through once for all words: to do it for each takes most of a question
      if (total < largeShare * (newest.get() ?? 0)) return asked.map(inScope);
      const anywhere = asked.map((expression) =>
        expression === '' ? [] : matching.all(expression, maxRows),
      );
      const few = asked.filter((_, index) => (anywhere[index]?.length ?? 0) % maxRows > 0);
      const readable = new Set(few.length === 0 ? [] : allMatching.all(`(${few.join(' OR ')}) AND ${match}`));
      return asked.map((expression, index) => {
        const rows = anywhere[index] ?? [];
        if (rows.length === maxRows) return inScope(expression);
        const left = rows.filter((row) => readable.has(row));
        return { rows: left, count: left.length };
      });
    },
    languages: ({ match }) => {
      if (match === undefined) return [];
      const inLanguages = (among: readonly StemmedLanguage[]): string =>
        `{scope_terms} : (${among.map((one) => `"${languageWord(one)}"`).join(' OR ')})`;
      // a memory in English alone needs no look through the scope, which takes some time for a large one
      if (matching.all(inLanguages(otherLanguages), 1).length === 0) return [];
      const inScope = (among: readonly StemmedLanguage[], most: number): number[] =>
        matching.all(`${inLanguages(among)} AND ${match}`, most);
      // most memories are in English: one look instead of one for each language
      const rows = inScope(otherLanguages, maxRows);
      if (rows.length === maxRows) return otherLanguages.filter((one) => inScope([one], 1).length > 0);
      const there = new Set(languagesOf.all(JSON.stringify(rows)));
      return otherLanguages.filter((language) => there.has(language));
    },
    total: ({ match }) => (match === undefined ? 0 : estimated(match).count),
    wordsWith: (opening) => words.all(opening, `${opening}~`),
    newest: () => newest.get() ?? 0,
  };
}
