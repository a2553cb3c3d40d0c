// The indexed form of plain ASCII text in one look at each character. It gives what the patterns of sentences.ts and tokens.ts give, and only that.
import { addLetters } from './letters.ts';
import { type WordTable, wordHash, wordHashSeed } from './word-table.ts';

/** The stems of a word between spaces, and its groups of letters. */
export interface Indexed {
  stems: string;
  letters: string;
}

/** How the words of a text become what is indexed of them. */
export interface Indexing {
  /** For words that are remembered. */
  known: WordTable<Indexed>;
  /** Longer words are not. */
  longest: number;
  /** For those. */
  word(text: string): Indexed;
  /** For digits with points, commas or colons between them. */
  number(text: string): Indexed;
  /** True for a sentence that tells nothing. */
  tellsNothing(sentence: string): boolean;
  /** Where the letters of the words are added up; nowhere when absent. */
  sums?: Int16Array | undefined;
}

const [other, letter, digit, mark, closer, lineEnd, space] = [0, 1, 2, 3, 4, 5, 6];
const kinds = new Uint8Array(128);
const note = (signs: string, kind: number): void => {
  for (const one of signs) kinds[one.charCodeAt(0)] = kind;
};
note("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'", letter);
note('0123456789', digit);
note('.!?', mark);
note('")]*', closer);
note('\n', lineEnd);
note(' \t\r', space);

/** One line a sentence, see `indexText`; the text has no other characters than ASCII's and no word such as `c++`. */
export function indexPlain(text: string, indexing: Indexing): string {
  const { known, longest, sums, tellsNothing } = indexing;
  let [indexed, line] = ['', ''];
  let [start, at] = [0, 0];
  const end = text.length;
  const keep = ({ stems, letters }: Indexed): void => {
    if (sums !== undefined) addLetters(sums, letters);
    if (stems !== '') line += line === '' ? stems : ` ${stems}`;
  };
  const endSentence = (stop: number): void => {
    if (line !== '') {
      if (tellsNothing(text.slice(start, stop))) line += ' ?';
      indexed += indexed === '' ? line : `\n${line}`;
      line = '';
    }
    start = stop;
  };
  while (at < end) {
    const kind = kinds[text.charCodeAt(at)] ?? other;
    if (kind === letter || kind === digit) {
      const numberEnd = kind === digit ? endOfNumber(text, at) : at;
      if (numberEnd > at) {
        keep(indexing.number(text.slice(at, numberEnd)));
        at = numberEnd;
        continue;
      }
      const from = at;
      let hash = wordHashSeed;
      for (; at < end; at += 1) {
        const unit = text.charCodeAt(at);
        const inWord = kinds[unit] ?? other;
        if (inWord !== letter && inWord !== digit) break;
        hash = wordHash(hash, unit);
      }
      keep(at - from <= longest ? known.at(text, from, at, hash) : indexing.word(text.slice(from, at)));
      continue;
    }
    const border = kind === lineEnd ? at + 1 : kind === mark ? endOfMarks(text, at) : at;
    if (border === at) {
      at += 1;
      continue;
    }
    at = border;
    while (at < end && isSpace(text.charCodeAt(at))) at += 1;
    endSentence(at);
  }
  endSentence(end);
  return indexed;
}

/** Behind `1.50` or `12:30`; where it stands itself when there is no point, comma or colon between digits. */
function endOfNumber(text: string, from: number): number {
  let at = endOfDigits(text, from);
  let end = from;
  while (isBetweenDigits(text.charCodeAt(at))) {
    const next = endOfDigits(text, at + 1);
    if (next === at + 1) break;
    [at, end] = [next, next];
  }
  return end;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (kinds[text.charCodeAt(at)] === digit) at += 1;
  return at;
}

function isBetweenDigits(unit: number): boolean {
  return unit === 0x2e || unit === 0x2c || unit === 0x3a;
}

/** Behind the marks that end a sentence and what closes with them, when a space follows; else where it stands itself. */
function endOfMarks(text: string, from: number): number {
  if (from > 0 && kinds[text.charCodeAt(from - 1)] === mark) return from;
  let at = from;
  while (kinds[text.charCodeAt(at)] === mark) at += 1;
  while (isCloser(text.charCodeAt(at))) at += 1;
  return at < text.length && isSpace(text.charCodeAt(at)) ? at : from;
}

/** `'` and `_` close a sentence, too; alone they are no word. */
function isCloser(unit: number): boolean {
  return kinds[unit] === closer || unit === 0x27 || unit === 0x5f;
}

function isSpace(unit: number): boolean {
  return kinds[unit] === space || kinds[unit] === lineEnd;
}
