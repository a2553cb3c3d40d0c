// Words as the tokenizer of full text stores them (`porter unicode61 remove_diacritics 2`), where another index than SQLite's holds them.
import { stemmer } from 'stemmer';

const plain = /^[\x20-\x7e]*$/;
const betweenWords = /[^\p{L}\p{N}\p{M}]+/u;

/** One word as it is stored. */
export function fullTextWord(text: string): string {
  return stemmer(plain.test(text) ? text : text.normalize('NFD').replace(/(\p{Script=Latin})\p{M}+/gu, '$1'));
}

/** The words of a text, each once. */
export function fullTextWords(text: string): Set<string> {
  return new Set(
    text
      .split(betweenWords)
      .filter((word) => word !== '')
      .map(fullTextWord),
  );
}

/**
 * A word may stand so often in one column of a row. FTS5 with `secure-delete` (3.42 to 3.54.1, measured) leaves words behind, and its check
 * fails, once the positions of a word in a row take 128 bytes: one byte each, two where the word comes again after more than 126 others.
 * No ranking counts as far.
 */
const mostRepeats = 12;

/** The lines of an index without what repeats a word oftener than full text can take back; no line ceases to be one. */
export function withinRepeats(lines: readonly string[]): string[] {
  const seen = new Map<string, number>();
  const isOnceMore = (unit: string): boolean =>
    unit.split(betweenWords).every((word) => {
      const times = (seen.get(word) ?? 0) + 1;
      if (word !== '') seen.set(word, times);
      return times <= mostRepeats;
    });
  return lines.map((line) => line.split(' ').filter(isOnceMore).join(' '));
}

/** What a query of full text takes for several words in a row. */
export function partsOfWord(text: string): string[] {
  return text.split(betweenWords).filter((word) => word !== '');
}
