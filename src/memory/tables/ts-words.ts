// Words as PostgreSQL's `tsvector` and `tsquery` hold them. Each stands for itself: no dictionary of the server changes it.
import { fullTextWord, partsOfWord } from '#memory/words/full-text-words.ts';
import type { Columns, WordQuery } from './word-query.ts';

/** PostgreSQL takes 2,046 bytes of a word; letters take four at most, and longer words are known by their beginning. */
const maxLetters = 500;

/** The mark of the columns that a word was found in. */
const marks: Readonly<Record<Columns, string>> = { text: 't', about: 'a', scope: 's' };

/** A word of these columns as it is stored. */
export function markedWord(columns: Columns, word: string): string {
  return `${marks[columns]}${[...word].slice(0, maxLetters).join('')}`;
}

/** A word of a query, which full text may take for several. */
export function tsWord(word: string, mark: (part: string) => string = (part) => part): string {
  const parts = partsOfWord(word).map((part) => quotedWord(mark(fullTextWord(part))));
  return parts.length === 0 ? nothing : parts.join(' & ');
}

/** The same as a `tsquery` over words with marks; an empty `any` or `all` finds nothing. */
export function tsQueryOf(query: WordQuery): string {
  switch (query.type) {
    case 'word':
      return `(${tsWord(query.word, (part) => markedWord(query.in, part))})`;
    case 'opening':
      return `${quotedWord(markedWord('text', fullTextWord(query.letters)))}:*`;
    case 'any':
      return joined(query.of, ' | ');
    case 'all':
      return joined(query.of, ' & ');
    case 'not':
      return `(${tsQueryOf(query.is)} & !${tsQueryOf(query.but)})`;
  }
}

/** No word is stored as this. */
const nothing = quotedWord('-');

function joined(of: readonly WordQuery[], operator: string): string {
  return of.length === 0 ? nothing : `(${of.map(tsQueryOf).join(operator)})`;
}

function quotedWord(word: string): string {
  return `'${word.replaceAll('\u0000', '').replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
