// Which rows of a scope hold a word, kept between questions and brought up to date by what is new. Not what the words weigh.
import type { Sqlite } from '#base/sqlite.ts';
import type { Readable } from './audience.ts';
import { createRecentRows, fullTextForm, isPlain, type RecentRow } from './recent-rows.ts';

/** What one scope holds, as it is now. */
export interface ScopePostings {
  /** How many chunks there are. */
  total: number;
  /** The rows that hold the indexed word, the newest 20,000 of those that were there when it was first asked for. */
  rowsOf(word: string): ReadonlySet<number>;
}

export interface Postings {
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

/** A word, or all words, in one scope. */
interface Kept {
  rows: Set<number>;
  /** Rows up to this one have been looked at. */
  upTo: number;
}

interface Scope {
  match: string;
  total: number;
  upTo: number;
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
  const recent = createRecentRows();
  const scopes = new Map<string, Scope>();
  let kept = 0;
  let seenCommits = otherCommits.get();

  const drop = (): void => {
    scopes.clear();
    recent.drop();
    kept = 0;
  };

  const inScope = ({ words, project }: Readable): ((row: RecentRow) => boolean) => {
    return ({ scope }) =>
      words.some((word) => scope.has(word)) && (project === undefined || scope.has(project));
  };

  /** The scope as it is now, with those of its rows that are known to be new. */
  const scopeOf = (readable: Readable, match: string, last: number): Scope => {
    const scope = scopes.get(match) ?? { match, total: 0, upTo: 0, words: new Map<string, Kept>() };
    scopes.set(match, scope);
    if (scope.upTo >= last) return scope;
    const fresh = recent.after(scope.upTo, last);
    scope.total += fresh?.filter(inScope(readable)).length ?? matchingCount.get(match, scope.upTo) ?? 0;
    scope.upTo = last;
    return scope;
  };

  const rowsOf = (word: string, { match, words, upTo }: Scope, readable: Readable): ReadonlySet<number> => {
    const known = words.get(word) ?? { rows: new Set<number>(), upTo: 0 };
    if (known.upTo >= upTo) return known.rows;
    const fresh = isPlain(word) ? recent.after(known.upTo, upTo) : undefined;
    const form = fullTextForm(word);
    const before = known.rows.size;
    const found =
      fresh?.filter((row) => row.words.has(form) && inScope(readable)(row)).map(({ row }) => row) ??
      matching.all(`${searched} : (${quoted(word)}) AND ${match}`, known.upTo, mostRows);
    for (const row of found) known.rows.add(row);
    known.upTo = upTo;
    kept += known.rows.size - before + (words.has(word) ? 0 : 1);
    words.set(word, known);
    return known.rows;
  };

  return {
    drop,
    added: recent.add,
    in(readable) {
      const { match } = readable;
      if (match === undefined) return nothing;
      const commits = otherCommits.get();
      if (commits !== seenCommits || kept > mostKept) drop();
      seenCommits = commits;
      const scope = scopeOf(readable, match, newest.get() ?? 0);
      return { total: scope.total, rowsOf: (word) => rowsOf(word, scope, readable) };
    },
  };
}

/** A word as a full-text string that no syntax can be read into. */
export function quoted(word: string): string {
  return `"${word.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}
