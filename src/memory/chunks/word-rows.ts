// Which rows of a scope hold words, as the full text of chunks knows it.
import { memoize } from '#base/caches/memoize.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { languageWord, largeShare, type ScopeFilter } from '#memory/tables/audience.ts';
import { joinsWords, type StemmedLanguage, stemIn, stemmedLanguages } from '#memory/words/languages.ts';
import { createScopeRows, maxScopes } from './scope-rows.ts';

export interface WordRows {
  /** Rows inside the scope that hold the full-text expression, newest first, at most `limit`. */
  rowsWith(expression: string, readable: ScopeFilter, limit: number): number[];
  /**
   * For each word, as the full-text expressions that find it, the rows inside the scope that fulfil one of them, newest first; of very
   * many the newest, and about how many there are. `total` is about how many rows the scope reads.
   */
  holding(words: readonly (readonly string[])[], within: { readable: ScopeFilter; total: number }): Posting[];
  /** The languages next to English that there are in the scope. */
  languages(within: { readable: ScopeFilter; total: number }): StemmedLanguage[];
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
export function expressionsFor(
  plain: string,
  forms: readonly (readonly [StemmedLanguage, string])[],
): string[] {
  const begins = beginningOf(plain);
  const longer = begins.length >= minBegun ? ` OR ${quoted(begins)} *` : '';
  const asked = Map.groupBy(forms, ([language, form]) => {
    return `${searched} : (${quoted(form)}${joinsWords(language) ? longer : ''})`;
  });
  return [...asked].map(([held, of]) => {
    const words = of.map(([language]) => `"${languageWord(language)}"`);
    return of.some(([language]) => language === 'en')
      ? held
      : `(${held} AND {scope_terms} : (${words.join(' OR ')}))`;
  });
}

/** A scope as a full-text expression, and about how many rows it reads. */
interface Scoped {
  match: string;
  total: number;
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

/** The statements over one open database. */
export function createWordRows(database: Sqlite): WordRows {
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
  /** Of very many rows the newest are as dense as all. */
  const posting = (rows: readonly number[]): Posting => {
    if (rows.length < maxRows) return { rows, count: rows.length };
    const last = newest.get() ?? 0;
    const seen = Math.max(1, last - (rows.at(-1) ?? 0));
    return { rows, count: Math.max(rows.length, Math.round((rows.length * last) / seen)) };
  };
  /** Finds the newest rows of a scope that fulfil an expression. */
  const inScope = ({ match, total }: Scoped): ((expression: string, most: number) => readonly number[]) => {
    if (total < largeShare * (newest.get() ?? 0))
      return (expression, most) => matching.all(`(${expression}) AND ${match}`, most);
    // full text walks through the whole of a large scope, for each word, which takes most of a question
    const has = rowsOfScope(match);
    return (expression, most) => {
      for (let looked = most; ; looked *= 2) {
        const anywhere = matching.all(expression, looked);
        const rows = anywhere.filter(has);
        if (rows.length >= most || anywhere.length < looked) return rows.slice(0, most);
      }
    };
  };
  return {
    rowsWith: (expression, readable, limit) =>
      readable.match === undefined ? [] : matching.all(`(${expression}) AND ${readable.match}`, limit),
    holding(words, { readable: { match }, total }) {
      if (match === undefined) return words.map(() => ({ rows: [], count: 0 }));
      const rowsOf = inScope({ match, total });
      return words.map((forms) => posting(forms.length === 0 ? [] : rowsOf(forms.join(' OR '), maxRows)));
    },
    languages({ readable: { match }, total }) {
      if (match === undefined) return [];
      const met = languagesMet(match);
      const rowsOf = inScope({ match, total });
      const isThere = (among: readonly StemmedLanguage[]): boolean => {
        const words = among.map((one) => `"${languageWord(one)}"`).join(' OR ');
        return rowsOf(`{scope_terms} : (${words})`, 1).length > 0;
      };
      const others = otherLanguages.filter((one) => !met.has(one));
      // most memories are in English: one look instead of one for each language
      if (others.length > 0 && isThere(others)) for (const one of others) if (isThere([one])) met.add(one);
      return otherLanguages.filter((one) => met.has(one));
    },
    total: ({ match }) => (match === undefined ? 0 : posting(matching.all(match, maxRows)).count),
    wordsWith: (opening) => words.all(opening, `${opening}~`),
    newest: () => newest.get() ?? 0,
  };
}
