// The rows of a small memory that hold a word, as bits: a question then asks full text only for words that nobody asked for before.
import { stemmer } from 'stemmer';
import { createLruCache } from '#base/caches/lru-cache.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { type Columns, matchOf, type WordQuery } from '#memory/tables/word-query.ts';

/** Gives the rows that fulfil the query, newest first, at most `limit`. */
export type RowsOf = (query: WordQuery, limit: number) => number[];

export interface WordBits {
  /** What finds rows as they are now, until something else is awaited; undefined where full text has to be asked instead. */
  now(): RowsOf | undefined;
  /** This connection removed or changed stored words. */
  changed(): void;
}

/** Rows up to this one have a bit, which makes 1 KiB a word: larger memories are searched in a thread, by full text. */
const maxRow = 8_191;
const numbers = (maxRow + 1) / 32;
/** Words whose rows are remembered: 2 MiB of bits. */
const maxWords = 2_000;
/** After more new rows than this, asking full text again is cheaper than reading them. */
const maxNew = 500;

type Bits = Uint32Array;
type Leaf = Extract<WordQuery, { type: 'word' | 'opening' }>;
type AddedRow = [row: number, said: string, answered: string, about: string, scope: string];

/** What the tokenizer of full text leaves whole. */
const isOneWord = (text: string): boolean => /^[\p{L}\p{N}\p{M}]+$/u.test(text);

/** Over one open database. What another connection wrote is noticed by the next question. */
export function createWordBits(database: Sqlite): WordBits {
  const matching = database
    .prepare<[string], number>('SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ?')
    .pluck();
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const added = database
    .prepare<[number, number], AddedRow>(
      `SELECT row, said_terms, answered_terms, about_terms, scope_terms FROM global_memory_chunks
       WHERE row > ? ORDER BY row LIMIT ?`,
    )
    .raw();
  const version = database.prepare<[], number>('PRAGMA data_version').pluck();
  let known = createLruCache<string, Bits>(maxWords, () => 1);
  /** The version of the file and its newest row that `known` is about; undefined when nothing is known. */
  let upTo: { version: number; row: number } | undefined;

  const changed = (): void => {
    known = createLruCache<string, Bits>(maxWords, () => 1);
    upTo = undefined;
  };

  /** Brings what is known up to date; the newest row. */
  const follow = (): number => {
    const now = version.get() ?? 0;
    if (upTo?.version === now) {
      const rows = added.all(upTo.row, maxNew + 1);
      if (rows.length <= maxNew) {
        for (const row of rows) for (const key of keysOf(row)) setBit(known.get(key), row[0]);
        upTo.row = rows.at(-1)?.[0] ?? upTo.row;
        return upTo.row;
      }
    }
    changed();
    upTo = { version: now, row: newest.get() ?? 0 };
    return upTo.row;
  };

  const leaf = (query: Leaf): Bits => {
    const text = query.type === 'word' ? query.word : query.letters;
    const key = keyOf(query.type === 'word' ? query.in : 'opening', stemmer(text));
    const before = known.get(key);
    if (before !== undefined) return before;
    const bits = new Uint32Array(numbers);
    for (const row of matching.all(matchOf(query))) setBit(bits, row);
    if (isOneWord(text)) known.set(key, bits);
    return bits;
  };

  /** The rows that fulfil the query, in bits that belong to the caller. */
  const evaluate = (query: WordQuery): Bits => {
    switch (query.type) {
      case 'word':
      case 'opening':
        return leaf(query).slice();
      case 'any':
        return combined(query.of.map(evaluate), (a, b) => a | b);
      case 'all':
        return combined(query.of.map(evaluate), (a, b) => a & b);
      case 'not':
        return combined([query.is, query.but].map(evaluate), (a, b) => a & ~b);
    }
  };

  return {
    now() {
      // a row of a transaction may be taken back, and its number given to another
      if (database.inTransaction || follow() > maxRow) return undefined;
      return (query, limit) => newestOf(evaluate(query), limit);
    },
    changed,
  };
}

const keyOf = (kind: Columns | 'opening', stem: string): string => `${kind} ${stem}`;

/** Under which keys a row is remembered: its words are stemmed once more, as the tokenizer of full text does it. */
function* keysOf([, said, answered, about, scope]: AddedRow): Iterable<string> {
  const stemsOf = (terms: string): Set<string> => new Set(terms.split(/\s+/).map(stemmer));
  const inAbout = stemsOf(about);
  for (const stem of inAbout) yield keyOf('about', stem);
  for (const word of stemsOf(scope)) yield keyOf('scope', word);
  for (const stem of new Set([...inAbout, ...stemsOf(`${said} ${answered}`)])) {
    yield keyOf('text', stem);
    for (let end = 1; end <= stem.length; end += 1) yield keyOf('opening', stem.slice(0, end));
  }
}

function setBit(bits: Bits | undefined, row: number): void {
  if (bits !== undefined && row <= maxRow) bits[row >> 5] = (bits[row >> 5] ?? 0) | (1 << (row & 31));
}

/** Combines all of them into the first, number by number; of none it is empty. */
function combined(
  [first = new Uint32Array(numbers), ...others]: Bits[],
  by: (a: number, b: number) => number,
): Bits {
  for (const other of others)
    for (let at = 0; at < numbers; at += 1) first[at] = by(first[at] ?? 0, other[at] ?? 0);
  return first;
}

function newestOf(bits: Bits, limit: number): number[] {
  const rows: number[] = [];
  for (let at = numbers - 1; at >= 0; at -= 1) {
    for (let number = bits[at] ?? 0; number !== 0; ) {
      if (rows.length === limit) return rows;
      const bit = 31 - Math.clz32(number);
      rows.push(at * 32 + bit);
      number &= ~(1 << bit);
    }
  }
  return rows;
}
