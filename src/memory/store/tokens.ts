// Text as searchable words, the same for what is stored and for what is asked. Not ranking, not SQL.
import { remembered } from '#base/remembered.ts';
import { isQuestion, sentencesOf } from './sentences.ts';
import { stem } from './stem.ts';

/** Changes when the words of a stored text would come out differently: old rows are then indexed anew. */
export const analyzerVersion = 1;

/** One word of a query, in order. */
export interface Token {
  /** As it is indexed. */
  form: string;
  /** Lower case, without diacritics, before stemming. */
  plain: string;
  /** A name in the middle of a sentence, or something with a digit in it: hard to say in other words. */
  particular: boolean;
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Bopomofo}ー々〆';
const pieces = new RegExp(
  `([${unspaced}][${unspaced}\\p{M}]*)|(\\p{Nd}+(?:[.,:]\\p{Nd}+)+)|((?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_'’])+)`,
  'gu',
);
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const longestWord = 64;
const letters: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ð: 'd',
};

/** The words of a question, repeats kept, at most `limit`. Compound words give their parts, CJK runs their pairs. */
export function queryTokens(text: string, limit: number): Token[] {
  const tokens: Token[] = [];
  for (const piece of piecesOf(text)) {
    for (const plain of queryForms(piece)) {
      tokens.push({ form: stem(plain), plain, particular: piece.named || /\p{N}/u.test(plain) });
      if (tokens.length === limit) return tokens;
    }
  }
  return tokens;
}

/** The indexed form of a text: one line a sentence, words as stems between spaces, a lone `?` at the end of one that tells nothing. */
export function indexText(text: string, tellsNothing: (sentence: string) => boolean = isQuestion): string {
  const lines = sentencesOf(text).map((sentence) => {
    const forms = piecesOf(sentence).flatMap((piece) => indexForms(piece).map(stem));
    if (forms.length === 0) return '';
    return `${forms.join(' ')}${tellsNothing(sentence) ? ' ?' : ''}`;
  });
  return lines.filter((line) => line !== '').join('\n');
}

/** The plain words of a text in order, without stemming: for comparing two texts word by word. */
export function plainWords(text: string): string[] {
  return piecesOf(text).flatMap(queryForms);
}

interface Piece {
  kind: 'run' | 'number' | 'word';
  text: string;
  named: boolean;
}

function piecesOf(text: string): Piece[] {
  const clean = text
    .normalize('NFKC')
    .replaceAll('\u0000', ' ')
    .replace(/\bc\+\+/gi, ' cplusplus ')
    .replace(/\b([cf])#/gi, ' $1sharp ');
  const found: Piece[] = [];
  for (const match of clean.matchAll(pieces)) {
    const [, run, number, word] = match;
    if (run !== undefined) found.push({ kind: 'run', text: run, named: false });
    else if (number !== undefined) found.push({ kind: 'number', text: number, named: true });
    else if (word !== undefined)
      found.push({ kind: 'word', text: word, named: isNamed(word, clean, match.index) });
  }
  return found;
}

/** A capital that opens no sentence. */
function isNamed(word: string, text: string, at: number): boolean {
  if (!/^\p{Lu}/u.test(word)) return false;
  return /[\p{L}\p{N},;:'")][ \t]+$/u.test(text.slice(Math.max(0, at - 4), at));
}

function indexForms(piece: Piece): readonly string[] {
  if (piece.kind === 'run') {
    const characters = charactersOf(piece.text);
    return [...pairs(characters), ...characters];
  }
  if (piece.kind === 'number') {
    const parts = piece.text.split(/[.,:]/);
    return [...parts, parts.join('')];
  }
  const parts = partsOf(piece.text);
  const joined = fold(piece.text.replace(/[_'’]/g, ''));
  return parts.length > 1 && joined !== '' ? [...parts, joined] : parts;
}

function queryForms(piece: Piece): readonly string[] {
  if (piece.kind === 'run') {
    const characters = charactersOf(piece.text);
    return characters.length === 1 ? characters : pairs(characters);
  }
  if (piece.kind === 'number') return [piece.text.replace(/[.,:]/g, '')];
  const parts = partsOf(piece.text);
  const long = parts.filter((part) => part.length > 2);
  return long.length > 0 && parts.length > 1 ? long : parts;
}

/** People use few words; kept are about 100 bytes each. */
const partsOf = remembered(10_000, splitWord);

/** The parts of `getUserName`, `user_name`, `O'Brien`; a possessive loses its `s`, a contraction (`don't`) its apostrophe. */
function splitWord(word: string): readonly string[] {
  const spoken = word
    .replaceAll('’', "'")
    .replace(/'s$/i, '')
    .replace(/n't$/i, 'nt')
    .replace(/'(m|re|ve|ll|d)$/i, '$1');
  return spoken
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .split(/[_']+/)
    .map(fold)
    .filter((part) => part !== '')
    .map((part) => part.slice(0, longestWord));
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(/[łøđßæœıþð]/g, (letter) => letters[letter] ?? letter);
}

function charactersOf(run: string): string[] {
  return [...graphemes.segment(run)].map(({ segment }) => segment);
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
