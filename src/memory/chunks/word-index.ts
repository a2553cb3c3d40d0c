// The words of a small memory with the rows that hold them, so that a question does not ask full text: what costs is the number of its calls.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { type Columns, matchOf, type WordQuery } from '#memory/tables/word-query.ts';
import { fullTextWord, fullTextWords } from '#memory/words/full-text-words.ts';

/** Gives the rows that fulfil the query, newest first, at most `limit`. */
export type RowsOf = (query: WordQuery, limit: number) => number[];

export interface WordIndex {
  /** What is known of the words as they are now, until something else is awaited; undefined where full text has to be asked instead. */
  now(): { rows: RowsOf; wordsWith(opening: string): string[] } | undefined;
  /** This connection has stored a row with its words. */
  added(): void;
  /** This connection is about to remove a row or to write its words anew. */
  changes(row: number): void;
  /** This connection has written many words anew. */
  changed(): void;
}

/** Rows up to this one are indexed, which takes about 4 MB: larger memories are searched in a thread, by full text. */
const maxRow = 8_191;
const numbers = (maxRow + 1) / 32;
/** Rows that are read at once, which takes some 10 ms: until all are, full text is asked. */
const maxRead = 250;
/** A word in more rows than this has them as bits. */
const maxListed = 256;

type Bits = Uint32Array;
type Leaf = Extract<WordQuery, { type: 'word' | 'opening' }>;
type StoredWords = [row: number, said: string, answered: string, about: string, scope: string];

/** What the tokenizer of full text leaves whole. */
const isOneWord = (text: string): boolean => /^[\p{L}\p{N}\p{M}]+$/u.test(text);

/** Over one open database. What another connection wrote is noticed by the next question. */
export function createWordIndex(database: Sqlite): WordIndex {
  const matching = database
    .prepare<[string], number>('SELECT rowid FROM global_memory_fts WHERE global_memory_fts MATCH ?')
    .pluck();
  const after = database
    .prepare<[number, number], StoredWords>(
      `SELECT row, said_terms, answered_terms, about_terms, scope_terms FROM global_memory_chunks
       WHERE row > ? ORDER BY row LIMIT ?`,
    )
    .raw();
  const newest = database.prepare<[], number | null>('SELECT max(row) FROM global_memory_chunks').pluck();
  const version = database.prepare<[], number>('PRAGMA data_version').pluck();
  const words = createWords((query) => matching.all(matchOf(query)));
  /** The version of the file, the row up to which it is indexed, and whether all its rows can be. */
  let upTo = { version: 0, row: 0, isSmall: true };
  /** Rows that may have changed since they were indexed. */
  const stale = new Set<number>();
  /** What `follow` said, until something else is awaited: a question asks several times. */
  let followed: boolean | undefined;

  const added = (): void => {
    followed = undefined;
  };
  const forRow = (row: number, each: (kind: Columns, word: string, row: number) => void): void => {
    for (const found of after.all(row - 1, 1)) if (found[0] === row) forEachWord(found, each);
  };
  const changes = (row: number): void => {
    added();
    if (row > upTo.row || stale.has(row)) return;
    stale.add(row);
    forRow(row, words.take);
  };
  const changed = (): void => {
    added();
    words.clear();
    stale.clear();
    upTo = { version: version.get() ?? 0, row: 0, isSmall: (newest.get() ?? 0) <= maxRow };
  };

  /** Reads what was added. False while there is more, and where there are too many rows. */
  const follow = (): boolean => {
    if (upTo.version !== version.get()) {
      changed();
      // whoever wrote may have damaged full text, which is to be noticed though nothing needs it
      matching.get(matchOf(anyWord));
    }
    if (!upTo.isSmall) return false;
    for (const row of stale) forRow(row, words.put);
    stale.clear();
    const rows = after.all(upTo.row, maxRead);
    for (const row of rows) {
      [upTo.row] = row;
      upTo.isSmall = upTo.row <= maxRow;
      if (!upTo.isSmall) return false;
      forEachWord(row, words.put);
    }
    return rows.length < maxRead;
  };

  return {
    now() {
      // a row of a transaction may be taken back, and its number given to another
      if (database.inTransaction) return undefined;
      if (followed === undefined) {
        followed = follow();
        queueMicrotask(added);
      }
      return followed ? words : undefined;
    },
    added,
    changes,
    changed,
  };
}

const anyWord: WordQuery = { type: 'word', in: 'text', word: 'word' };

/** The words of rows; what is more than one word is answered by `rowsWith`. */
function createWords(rowsWith: (query: Leaf) => readonly number[]) {
  const rowsOf: Record<Columns, Map<string, Rows>> = {
    text: new Map(),
    about: new Map(),
    scope: new Map(),
  };
  /** Every word, by the two letters that it begins with. */
  const begun = new Map<string, Set<string>>();

  const wordsWith = (opening: string): string[] => {
    const among = opening.length < 2 ? [...begun.values()] : [begun.get(opening.slice(0, 2)) ?? []];
    return among.flatMap((words) => [...words].filter((word) => word.startsWith(opening)));
  };

  const scratch = createScratch();
  /** Numbers of bits that hold a row by now: what is behind them is empty in all. */
  let filled = 0;
  /** The rows that hold it, in bits that belong to the caller. */
  const leaf = (query: Leaf): Bits => {
    const bits = scratch.next();
    const text = query.type === 'word' ? query.word : query.letters;
    if (!isOneWord(text)) write([...rowsWith(query)], bits);
    else if (query.type === 'word') write(rowsOf[query.in].get(fullTextWord(text)) ?? [], bits);
    else for (const word of wordsWith(fullTextWord(text))) write(rowsOf.text.get(word) ?? [], bits);
    return bits;
  };

  /** All of them combined into the first, number by number; of none it is empty. */
  const combined = (of: readonly WordQuery[], by: (a: number, b: number) => number): Bits => {
    const [first = scratch.next(), ...others] = of.map(evaluate);
    for (const other of others)
      for (let at = 0; at < filled; at += 1) first[at] = by(first[at] ?? 0, other[at] ?? 0);
    return first;
  };

  /** The rows that fulfil the query, in bits that belong to the caller. */
  const evaluate = (query: WordQuery): Bits => {
    switch (query.type) {
      case 'word':
      case 'opening':
        return leaf(query);
      case 'any':
        return combined(query.of, (a, b) => a | b);
      case 'all':
        return combined(query.of, (a, b) => a & b);
      case 'not':
        return combined([query.is, query.but], (a, b) => a & ~b);
    }
  };

  return {
    rows(query: WordQuery, limit: number): number[] {
      scratch.begin();
      return newestOf(evaluate(query), filled, limit);
    },
    wordsWith,
    put(kind: Columns, word: string, row: number): void {
      const before = rowsOf[kind].get(word);
      const rows = before === undefined ? [row] : withRow(before, row);
      filled = Math.max(filled, (row >> 5) + 1);
      if (rows === before) return;
      rowsOf[kind].set(word, rows);
      const opening = word.slice(0, 2);
      begun.set(opening, (begun.get(opening) ?? new Set()).add(word));
    },
    take(kind: Columns, word: string, row: number): void {
      const rows = withoutRow(rowsOf[kind].get(word) ?? [], row);
      if (rows === undefined) rowsOf[kind].delete(word);
      else rowsOf[kind].set(word, rows);
      if (!Object.values(rowsOf).some((known) => known.has(word))) begun.get(word.slice(0, 2))?.delete(word);
    },
    clear(): void {
      for (const rows of Object.values(rowsOf)) rows.clear();
      begun.clear();
    },
  };
}

/** Calls `each` for every word of a row, once for each way to find it. */
function forEachWord(
  [row, said, answered, about, scope]: StoredWords,
  each: (kind: Columns, word: string, row: number) => void,
): void {
  const inAbout = fullTextWords(about);
  for (const word of inAbout) each('about', word, row);
  for (const word of fullTextWords(scope)) each('scope', word, row);
  for (const word of new Set([...inAbout, ...fullTextWords(said), ...fullTextWords(answered)]))
    each('text', word, row);
}

/** The rows of one word: a list of few, bits of many. */
type Rows = number[] | Bits;

function withRow(rows: Rows, row: number): Rows {
  if (!Array.isArray(rows)) {
    setBit(rows, row);
    return rows;
  }
  if (row > (rows.at(-1) ?? 0) || !rows.includes(row)) rows.push(row);
  if (rows.length <= maxListed) return rows;
  const bits = new Uint32Array(numbers);
  write(rows, bits);
  return bits;
}

/** Undefined when none is left. */
function withoutRow(rows: Rows, row: number): Rows | undefined {
  if (Array.isArray(rows)) {
    const left = rows.filter((each) => each !== row);
    return left.length === 0 ? undefined : left;
  }
  rows[row >> 5] = (rows[row >> 5] ?? 0) & ~(1 << (row & 31));
  return rows.some((number) => number !== 0) ? rows : undefined;
}

function write(rows: Rows, into: Bits): void {
  if (Array.isArray(rows)) for (const row of rows) setBit(into, row);
  else for (let at = 0; at < numbers; at += 1) into[at] = (into[at] ?? 0) | (rows[at] ?? 0);
}

function setBit(bits: Bits, row: number): void {
  bits[row >> 5] = (bits[row >> 5] ?? 0) | (1 << (row & 31));
}

/** Bits for one evaluation after the other: to make them anew takes longer than to fill them. */
function createScratch(): { begin(): void; next(): Bits } {
  const made: Bits[] = [];
  let used = 0;
  return {
    begin() {
      used = 0;
    },
    next() {
      const bits = made[used] ?? new Uint32Array(numbers);
      made[used] = bits;
      used += 1;
      return bits.fill(0);
    },
  };
}

function newestOf(bits: Bits, filled: number, limit: number): number[] {
  const rows: number[] = [];
  for (let at = filled - 1; at >= 0; at -= 1) {
    for (let number = bits[at] ?? 0; number !== 0; ) {
      if (rows.length === limit) return rows;
      const bit = 31 - Math.clz32(number);
      rows.push(at * 32 + bit);
      number &= ~(1 << bit);
    }
  }
  return rows;
}
