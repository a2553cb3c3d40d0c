// The words of the rows that this process added last, so that they need not be looked up. Never who may read them.
import { stemmer } from 'stemmer';
import { remembered } from '#base/remembered.ts';

export interface RecentRows {
  /** Notes a row that was inserted just now, with its words as `fullTextForms` gives them; its transaction may still be taken back. */
  add(row: number, terms: { words: ReadonlySet<string>; scope: string }): void;
  /** True when all rows after `row` up to `last` are known here. */
  covers(row: number, last: number): boolean;
  /** The scope words of a row that is known here. */
  scopeOf(row: number): ReadonlySet<string> | undefined;
  /** Those of the rows after `row` that hold the plain word, newest first. */
  holding(word: string, row: number): number[];
  /** Forgets them all: rows were removed, or may have been changed. */
  drop(): void;
}

/** At most twice as many are kept, and of their words, about 100 bytes each: long rows are fewer. */
const mostRows = 500;
const mostWords = 15_000;
const plain = /^[a-z0-9]+$/;

/** True for words that full text keeps as one word, whatever else it does with them. */
export function isPlain(word: string): boolean {
  return plain.test(word);
}

const stemAgain = remembered(20_000, stemmer);

/** A plain indexed word as full text has it: its tokenizer (porter) stems what is stemmed already. */
export function fullTextForm(word: string): string {
  return word.length < 3 || /^\d+$/.test(word) ? word : stemAgain(word);
}

/** The plain words of indexed texts as full text has them, each once. */
export function fullTextForms(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.split(/\s+/).filter(isPlain).map(fullTextForm)));
}

interface Row {
  row: number;
  /** How many words it has. */
  size: number;
  /** Between spaces: a set of each would be six times as large. */
  words: string;
  scope: ReadonlySet<string>;
}

/** The latest rows of one open database, without gaps: what another process added between them ends what is known. */
export function createRecentRows(): RecentRows {
  let rows: Row[] = [];
  /** Of all rows together. */
  let size = 0;
  /** Most words stand in one row: a list for each of those would take half of all the room. */
  let byWord = new Map<string, number | number[]>();

  const index = ({ row, words, size: more }: Row): void => {
    size += more;
    for (const word of words.split(' ')) {
      const holding = byWord.get(word);
      if (holding === undefined) byWord.set(word, row);
      else if (typeof holding === 'number') byWord.set(word, [holding, row]);
      else holding.push(row);
    }
  };
  const keep = (left: Row[]): void => {
    rows = left;
    size = 0;
    byWord = new Map();
    for (const row of rows) index(row);
  };
  const rowAt = (row: number): Row | undefined => rows[row - (rows[0]?.row ?? 0)];

  return {
    add(row, { words, scope }) {
      const last = rows.at(-1)?.row;
      // a number that comes again belonged to a transaction that was taken back
      if (last !== undefined && last >= row) keep(rows.filter((known) => known.row < row));
      if (rows.at(-1)?.row !== row - 1) keep([]);
      const added = {
        row,
        size: words.size,
        words: [...words].join(' '),
        scope: new Set(scope.split(' ')),
      };
      rows.push(added);
      index(added);
      if (rows.length > 2 * mostRows || size > 2 * mostWords) keep(rows.slice(-(rows.length >> 1)));
    },
    covers(row, last) {
      const [first, newest] = [rows[0]?.row, rows.at(-1)?.row];
      return (
        first !== undefined && newest !== undefined && first <= row + 1 && first <= last && last <= newest
      );
    },
    scopeOf: (row) => rowAt(row)?.scope,
    holding(word, row) {
      const found = byWord.get(fullTextForm(word)) ?? [];
      const all = typeof found === 'number' ? [found] : found;
      let from = all.length;
      while (from > 0 && (all[from - 1] ?? 0) > row) from -= 1;
      return all.slice(from).reverse();
    },
    drop: () => keep([]),
  };
}
