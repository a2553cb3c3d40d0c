// Which rows of a scope hold a word, kept between questions and brought up to date by what is new. Not what the words weigh.
import type { Sqlite } from '#base/sqlite.ts';
import type { Readable } from './audience.ts';
import { createRecentRows, fullTextForms, isPlain } from './recent-rows.ts';

/** What one scope holds, as it is now. */
export interface ScopePostings {
  /** How many chunks there are. */
  total: number;
  /** The rows that hold the indexed word, the newest 20,000 of those that were there when it was first asked for. */
  rowsOf(word: string): ReadonlySet<number>;
}

export interface Postings {
  /** Plain indexed words that open with these letters: for finding what a misspelt word may have meant. Never shown. */
  wordsWith(opening: string): ReadonlySet<string>;
  /** Good until the next write. */
  in(readable: Readable): ScopePostings;
  /** Notes the words of a row that was inserted just now. */
  added(row: number, terms: { words: readonly string[]; scope: string }): void;
  /** Drops what is kept: rows were removed. */
  drop(): void;
}

/** Columns whose words a query may meet; the scope's words are not among them. */
export const searched = '{said_terms answered_terms about_terms}';

/** Postings of one word that are read at once, newest first; a word in more rows than this tells nothing apart. */
const mostRows = 20_000;
/** Row numbers that are kept altogether, about 40 bytes each. */
const mostKept = 500_000;

/** The letters by which the vocabulary is looked up. */
const openingLength = 2;

/** A word in one scope. */
interface Kept {
  rows: Set<number>;
  /** Rows up to this one have been looked at. */
  upTo: number;
}

interface Scope {
  match: string;
  total: number;
  upTo: number;
  /** Those of its rows that are known to be new. */
  fresh: Set<number>;
  words: Map<string, Kept>;
}

const nothing: ScopePostings = { total: 0, rowsOf: () => new Set() };

/** The postings of one open database. A commit of another process drops what is kept, since that may have removed rows. */
export function createPostings(database: Sqlite): Postings {
  const matching = database
    .prepare<[string, number, number], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck();
  const matchingCount = database
    .prepare<[string, number], number>(
      'SELECT count(*) FROM global_memory_fts WHERE global_memory_fts MATCH ? AND rowid > ?',
    )
    .pluck();
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const otherCommits = database.prepare<[], number>('PRAGMA data_version').pluck();
  const words = database
    .prepare<[string, string], string>('SELECT term FROM global_memory_words WHERE term >= ? AND term < ?')
    .pluck();
  const recent = createRecentRows();
  const vocabulary = new Map<string, Set<string>>();
  const scopes = new Map<string, Scope>();
  let kept = 0;
  let seenCommits = otherCommits.get();

  const drop = (): void => {
    scopes.clear();
    vocabulary.clear();
    recent.drop();
    kept = 0;
  };

  /** Looks at the scope words of the rows after `from`, which are all known. */
  const freshIn = ({ words, project }: Readable, from: number, last: number): number[] => {
    const found: number[] = [];
    for (let row = from + 1; row <= last; row += 1) {
      const scope = recent.scopeOf(row);
      if (scope === undefined || (project !== undefined && !scope.has(project))) continue;
      if (words.some((word) => scope.has(word))) found.push(row);
    }
    return found;
  };

  /** The scope as it is now. */
  const scopeOf = (readable: Readable, match: string, last: number): Scope => {
    const none = { match, total: 0, upTo: 0, fresh: new Set<number>(), words: new Map<string, Kept>() };
    const scope = scopes.get(match) ?? none;
    scopes.set(match, scope);
    if (scope.upTo >= last) return scope;
    if (recent.covers(scope.upTo, last)) {
      const fresh = freshIn(readable, scope.upTo, last);
      for (const row of fresh) scope.fresh.add(row);
      scope.total += fresh.length;
      kept += fresh.length;
    } else scope.total += matchingCount.get(match, scope.upTo) ?? 0;
    scope.upTo = last;
    return scope;
  };

  const rowsOf = (word: string, { match, words, upTo, fresh }: Scope): ReadonlySet<number> => {
    const known = words.get(word) ?? { rows: new Set<number>(), upTo: 0 };
    if (known.upTo >= upTo) return known.rows;
    const before = known.rows.size;
    const found =
      isPlain(word) && recent.covers(known.upTo, upTo)
        ? recent.holding(word, known.upTo).filter((row) => fresh.has(row))
        : matching.all(`${searched} : (${quoted(word)}) AND ${match}`, known.upTo, mostRows);
    for (const row of found) known.rows.add(row);
    known.upTo = upTo;
    kept += known.rows.size - before + (words.has(word) ? 0 : 1);
    words.set(word, known);
    return known.rows;
  };

  /** Drops what others may have changed. */
  const refresh = (): void => {
    const commits = otherCommits.get();
    if (commits !== seenCommits || kept > mostKept) drop();
    seenCommits = commits;
  };

  return {
    drop,
    added(row, terms) {
      const words = fullTextForms(terms.words);
      recent.add(row, { words, scope: terms.scope });
      if (vocabulary.size === 0) return;
      for (const word of words) vocabulary.get(word.slice(0, openingLength))?.add(word);
    },
    wordsWith(opening) {
      refresh();
      const known = vocabulary.get(opening);
      if (known !== undefined) return known;
      const found = new Set(words.all(opening, `${opening}~`));
      vocabulary.set(opening, found);
      kept += found.size;
      return found;
    },
    in(readable) {
      const { match } = readable;
      if (match === undefined) return nothing;
      refresh();
      const scope = scopeOf(readable, match, newest.get() ?? 0);
      return { total: scope.total, rowsOf: (word) => rowsOf(word, scope) };
    },
  };
}

/** A word as a full-text string that no syntax can be read into. */
export function quoted(word: string): string {
  return `"${word.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}
