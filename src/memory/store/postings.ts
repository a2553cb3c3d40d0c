// Which rows of a scope hold a word, kept between questions and brought up to date by what is new. Not what the words weigh.
import type { Sqlite } from '#base/sqlite.ts';
import type { Readable } from './audience.ts';
import type { Changes } from './changes.ts';
import { createRecentRows, fullTextForms, isPlain } from './recent-rows.ts';
import { createRowSet, type RowSet } from './row-set.ts';

/** The rows of a scope that hold a word. */
export interface Posting {
  /** Ascending; of a word in very many rows the newest only. */
  rows: Uint32Array;
  /** How many there are altogether; estimated for a word in very many rows. */
  count: number;
}

/** What one scope holds, as it is now. */
export interface ScopePostings {
  /** How many chunks there are. */
  total: number;
  rowsOf(word: string): Posting;
  /** Plain indexed words of any scope that open with these letters: for finding what a misspelt word may have meant. Never shown. */
  wordsWith(opening: string): ReadonlySet<string>;
}

export interface Postings {
  /** Good until the next write. `now` is the file as it was read just before, and read when absent. */
  in(readable: Readable, now?: Changes): ScopePostings;
  /** The rows that the scope may read. */
  rowsIn(readable: Readable, now?: Changes): RowSet;
  /** The indexed words that stand in most rows, of all scopes; looks at every word there is. Never shown. */
  commonWords(most: number): string[];
  /** Notes the words of a row that was inserted just now. */
  added(row: number, terms: { words: readonly string[]; scope: string }): void;
}

/** Columns whose words a query may meet; the scope's words are not among them. */
export const searched = '{said_terms answered_terms about_terms}';

/** Rows of one word that are read, newest first: a word in more rows than this tells little apart. */
const mostRows = 8_000;
/** A scope that reads at least this share of all rows sees enough of the newest rows of a word. */
const largeShare = 1 / 8;
/** Row numbers of words that are kept, 4 bytes each, what a word takes besides, in the same measure, and room for the sets of scopes, in rows, one bit each. */
const mostKept = 1_500_000;
const ofWord = 80;
const mostScopeRows = 64_000_000;
/** The letters by which the vocabulary is looked up. */
const openingLength = 2;
/** Rows whose words are added to a vocabulary that is known; after more of them it is read anew, which takes long in a large memory. */
const mostNewRows = 2_000;

/** A word in all rows or in one scope. */
interface Kept extends Posting {
  /** What `rows` is the beginning of: new rows are written behind them, which no earlier reader of `rows` sees. */
  room: Uint32Array;
  /** Rows up to this one have been looked at. */
  upTo: number;
  /** Only the newest of its rows are here. */
  isCut: boolean;
}

interface Scope {
  match: string;
  upTo: number;
  rows: RowSet;
  /** Words in so many rows that the scope has its own look at them. */
  words: Map<string, Kept>;
}

const none = new Uint32Array();
const nothing: ScopePostings = {
  total: 0,
  rowsOf: () => ({ rows: none, count: 0 }),
  wordsWith: () => new Set(),
};

/** The postings of one open database, of which `changes` tells. What is kept only grows until rows are removed or changed, by whomever. */
export function createPostings(database: Sqlite, changes: () => Changes): Postings {
  const newestWith = database
    .prepare<[string, number, number], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck();
  /** In full text's own order, which takes two thirds of the time of the other. */
  const inScope = database
    .prepare<[string, number], number>(
      'SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ? AND rowid > ?',
    )
    .pluck();
  const words = database
    .prepare<[string, string], string>('SELECT term FROM global_memory_words WHERE term >= ? AND term < ?')
    .pluck();
  const common = database
    .prepare<[number], string>('SELECT term FROM global_memory_words ORDER BY doc DESC LIMIT ?')
    .pluck();
  const newWords = database
    .prepare<[number, number], string>(
      `SELECT said_terms || ' ' || answered_terms || ' ' || about_terms FROM global_memory_chunks
       WHERE row > ? AND row <= ?`,
    )
    .pluck();
  const recent = createRecentRows();
  const vocabulary = new Map<string, Set<string>>();
  /** The words of rows up to this one are in it. */
  let vocabularyTo = 0;
  const scopes = new Map<string, Scope>();
  const everywhere = new Map<string, Kept>();
  let [kept, keptScopes] = [0, 0];
  let seen: Pick<Changes, 'removals' | 'otherCommits'> = changes();

  /** Drops what may no longer be true, and what is too much. */
  const refresh = (now: Changes): void => {
    const isRemoved = now.removals !== seen.removals;
    // another process may have used a row number that was taken back here
    if (isRemoved || now.otherCommits !== seen.otherCommits) recent.drop();
    if (isRemoved || kept > mostKept) everywhere.clear();
    if (isRemoved || kept > mostKept || keptScopes > mostScopeRows) {
      scopes.clear();
      [kept, keptScopes] = [0, 0];
    }
    if (isRemoved) vocabulary.clear();
    seen = now;
  };

  /** The scope as it is now. */
  const scopeOf = ({ words: any, project }: Readable, match: string, now: Changes): Scope => {
    refresh(now);
    const last = now.newest;
    const known = scopes.get(match);
    const scope = known ?? { match, upTo: 0, rows: createRowSet(last), words: new Map() };
    if (known === undefined) {
      scopes.set(match, scope);
      keptScopes += last;
    }
    if (scope.upTo >= last) return scope;
    if (recent.covers(scope.upTo, last)) {
      for (let row = scope.upTo + 1; row <= last; row += 1) {
        const terms = recent.scopeOf(row);
        if (terms === undefined || (project !== undefined && !terms.has(project))) continue;
        if (any.some((word) => terms.has(word))) scope.rows.add(row);
      }
    } else for (const row of inScope.all(match, scope.upTo)) scope.rows.add(row);
    scope.upTo = last;
    return scope;
  };

  /** The word in the rows that `match` means, or in all of them. */
  const lookUp = (word: string, from: { map: Map<string, Kept>; upTo: number; within: string }): Kept => {
    const { map, upTo, within } = from;
    const known = map.get(word);
    if (known !== undefined && known.upTo >= upTo) return known;
    const since = known?.upTo ?? 0;
    const fromRecent = within === '' && isPlain(word) && recent.covers(since, upTo);
    const fresh = fromRecent
      ? recent.holding(word, since)
      : newestWith.all(`${searched} : (${quoted(word)})${within}`, since, mostRows + 1);
    const isCut = fresh.length > mostRows;
    if (known !== undefined && fresh.length === 0) {
      known.upTo = upTo;
      return known;
    }
    const before = isCut ? none : (known?.rows ?? none);
    const count = before.length + fresh.length;
    const roomBefore = known?.room ?? none;
    let room = roomBefore;
    if (isCut || count > room.length) {
      // a word that was met again will be met once more
      room = new Uint32Array(known === undefined ? count : count + (count >> 3));
      room.set(before);
    }
    for (let index = 0; index < fresh.length; index += 1) room[count - 1 - index] = fresh[index] ?? 0;
    const rows = room.length === count ? room : room.subarray(0, count);
    const now: Kept = { rows, room, count, upTo, isCut: isCut || known?.isCut === true };
    map.set(word, now);
    kept += room.length - roomBefore.length + (known === undefined ? ofWord : 0);
    return now;
  };

  const rowsOf = (word: string, scope: Scope): Posting => {
    const { upTo } = scope;
    const isLarge = scope.rows.size >= largeShare * upTo;
    // a small scope of many rows has its own look unless the word is known already
    const isKnown = isLarge || upTo <= mostRows || everywhere.has(word);
    const all = isKnown ? lookUp(word, { map: everywhere, upTo, within: '' }) : undefined;
    const isOwn = all === undefined || (all.isCut && !isLarge);
    const { rows: found, isCut } = isOwn
      ? lookUp(word, { map: scope.words, upTo, within: ` AND ${scope.match}` })
      : all;
    const rows = isOwn ? found : within(found, scope.rows);
    if (!isCut) return { rows, count: rows.length };
    // as dense among the older rows as among those that were read
    const seen = Math.max(1, scope.upTo - (found[0] ?? 0));
    return { rows, count: Math.min(scope.rows.size, Math.round((rows.length * scope.upTo) / seen)) };
  };

  /** Room for as many rows as any word had, for all scopes. */
  let scratch = new Uint32Array();
  /** Those of the ascending rows that are in the set. */
  const within = (rows: Uint32Array, set: RowSet): Uint32Array => {
    if (scratch.length < rows.length) scratch = new Uint32Array(rows.length + (rows.length >> 2));
    const count = set.among(rows, scratch);
    return count === rows.length ? rows : scratch.slice(0, count);
  };

  /** Words of rows up to `last` that came since, by whomever, where words with their letters are known. */
  const learnNewWords = (last: number): void => {
    if (last - vocabularyTo > mostNewRows) vocabulary.clear();
    if (vocabulary.size > 0 && last > vocabularyTo)
      for (const word of fullTextForms(newWords.all(vocabularyTo, last)))
        vocabulary.get(word.slice(0, openingLength))?.add(word);
    vocabularyTo = last;
  };

  const wordsWith = (opening: string, last: number): ReadonlySet<string> => {
    learnNewWords(last);
    const known = vocabulary.get(opening);
    if (known !== undefined) return known;
    const found = new Set(words.all(opening, `${opening}~`));
    vocabulary.set(opening, found);
    return found;
  };

  return {
    added(row, terms) {
      const forms = fullTextForms(terms.words);
      recent.add(row, { words: forms, scope: terms.scope });
    },
    commonWords: (most) => common.all(most),
    rowsIn: (readable, now = changes()) =>
      readable.match === undefined ? createRowSet(0) : scopeOf(readable, readable.match, now).rows,
    in(readable, now = changes()) {
      const { match } = readable;
      if (match === undefined) return nothing;
      const scope = scopeOf(readable, match, now);
      return {
        total: scope.rows.size,
        rowsOf: (word) => rowsOf(word, scope),
        wordsWith: (opening) => wordsWith(opening, now.newest),
      };
    },
  };
}

/** A word as a full-text string that no syntax can be read into. */
export function quoted(word: string): string {
  return `"${word.replaceAll('\u0000', '').replaceAll('"', '""')}"`;
}
