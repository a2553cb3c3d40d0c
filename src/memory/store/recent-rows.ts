// The words of the rows that this process added last, so that they need not be looked up. Never who may read them.
import { stemmer } from 'stemmer';
import { remembered } from '#base/remembered.ts';

/** The words of one row as full text has them. */
export interface RecentRow {
  row: number;
  words: ReadonlySet<string>;
  scope: ReadonlySet<string>;
}

export interface RecentRows {
  /** Notes a row that was inserted just now; its transaction may still be taken back. */
  add(row: number, terms: { words: readonly string[]; scope: string }): void;
  /** The rows after `row` up to `last`, in order; undefined when not all of them are known here. */
  after(row: number, last: number): readonly RecentRow[] | undefined;
  /** Forgets them all: rows were removed, or may have been changed. */
  drop(): void;
}

/** About 6 kB each. */
const mostRows = 1_000;
const plain = /^[a-z0-9]+$/;

/** True for words that full text keeps as one word, whatever else it does with them. */
export function isPlain(word: string): boolean {
  return plain.test(word);
}

const stemAgain = remembered(20_000, (word: string) => [stemmer(word)]);

/** A plain indexed word as full text has it: its tokenizer (porter) stems what is stemmed already. */
export function fullTextForm(word: string): string {
  return word.length < 3 || /^\d/.test(word) ? word : (stemAgain(word)[0] ?? word);
}

/** The latest rows of one open database, without gaps: what another process added between them ends what is known. */
export function createRecentRows(): RecentRows {
  let rows: RecentRow[] = [];
  return {
    add(row, { words, scope }) {
      // a number that comes again belonged to a transaction that was taken back
      while (rows.length > 0 && (rows.at(-1)?.row ?? 0) >= row) rows.pop();
      if (rows.at(-1)?.row !== row - 1) rows = [];
      const forms = words.flatMap((text) => text.split(/\s+/)).filter(isPlain);
      rows.push({ row, words: new Set(forms.map(fullTextForm)), scope: new Set(scope.split(' ')) });
      if (rows.length > 2 * mostRows) rows = rows.slice(-mostRows);
    },
    after(row, last) {
      const first = rows[0]?.row;
      if (first === undefined || first > row + 1 || last < first || last > first + rows.length - 1)
        return undefined;
      return rows.slice(row + 1 - first, last + 1 - first);
    },
    drop() {
      rows = [];
    },
  };
}
