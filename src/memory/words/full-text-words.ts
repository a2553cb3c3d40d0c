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

/** What a query of full text takes for several words in a row. */
export function partsOfWord(text: string): string[] {
  return text.split(betweenWords).filter((word) => word !== '');
}
