// Text as searchable words, the same for what is stored and for what is asked. Not ranking, not SQL.

import { memoize } from '#base/caches/memoize.ts';
import { lazy } from '#base/lazy.ts';
import { fold } from './fold.ts';
import { withinRepeats } from './full-text-words.ts';
import {
  isStop,
  joinsWords,
  lastParts,
  type StemmedLanguage,
  stemIn,
  stemmedLanguages,
  textLanguage,
} from './languages.ts';
import { isQuestion, sentencesOf } from './sentences.ts';
import { stem } from './stem.ts';

/**
 * Changes when the words of a stored text would come out differently. Old rows stay as they are until `parley memory reindex` makes them
 * again, and those of files until `parley memory index --force`.
 */
export const analyzerVersion = 4;

/** One word of a query, in order. */
interface Token {
  /** As it is indexed. */
  form: string;
  /** Lower case, without diacritics, before stemming. */
  plain: string;
  /** A name in the middle of a sentence, or something with a digit in it: hard to say in other words. */
  particular: boolean;
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Bopomofo}ー々〆';
// only for text that is not plain: making these takes as long as a search
const pieces = lazy(
  () =>
    new RegExp(
      `([${unspaced}][${unspaced}\\p{M}]*)|(\\p{Nd}+(?:[.,:]\\p{Nd}+)+)|((?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_'’])+)`,
      'gu',
    ),
);
const graphemes = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));
/** Letters that are a sound each: a pair of them says as little as a pair of Latin ones. */
const spelledOut = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Finds the words of text without spaces, whichever language it is in. */
const wordsOfRuns = lazy(() => new Intl.Segmenter(undefined, { granularity: 'word' }));
const longestWord = 64;
/** Parts of the longest beginning of a number that is a word, as of `1,250,000.50`. */
const longestBeginning = 3;
/** Words of one part whatever rule is asked. */
const simple = /^(?:[a-z0-9]+|[A-Z][a-z]*)$/;
/** The words of a question, repeats kept, at most `limit`. Compound words give their parts, Thai runs their words, CJK runs their pairs. */
export function queryTokens(text: string, limit: number): Token[] {
  const tokens: Token[] = [];
  for (const piece of piecesOf(text)) {
    for (const plain of queryForms(piece)) {
      tokens.push({ form: stem(plain), plain, particular: isNamed(piece) || /\p{N}/u.test(plain) });
      if (tokens.length === limit) return tokens;
    }
  }
  if (tokens.length > 0) return tokens;
  // next to words an emoji says how, and not of what
  return emojiWords(text)
    .slice(0, limit)
    .map((word) => ({ form: word, plain: word, particular: true }));
}

/** The indexed form of a text: one line a sentence, words as stems between spaces, a lone `?` at the end of one that states nothing. */
export function indexText(
  text: string,
  tellsNothing: (sentence: string) => boolean = isQuestion,
  language: StemmedLanguage = 'en',
): string {
  const lines: string[] = [];
  for (const sentence of sentencesOf(text)) {
    const line = piecesOf(sentence)
      .map((piece, index, all) => indexedAs(piece, language) + hyphenated(all[index - 1], piece, language))
      .filter((stems) => stems !== '')
      .concat(emojiWords(sentence))
      .join(' ');
    if (line !== '') lines.push(tellsNothing(sentence) ? `${line} ?` : line);
  }
  return withinRepeats(lines).join('\n');
}

/**
 * The indexed form in English and, where the text's own language is sure and has other stems, those marked with it: of a question of two
 * words nobody knows the language.
 */
export function indexTextInItsLanguage(text: string): string {
  const [language, english, words] = [textLanguage(text), indexText(text), plainWords(text)];
  // without a stop word of it, it is only the likeliest
  if (language === 'en' || !words.some((word) => language === 'ru' || isStop(language, word))) return english;
  const marks = words.flatMap((word) => markedForm(language, word)).join(' ');
  return [english, ...withinRepeats([marks])].join('\n');
}

/** What a plain word may be in such an index: its stem of a language is marked there only where it is not the English one of the word that is held. */
export function formsInAnyLanguage(plain: string): string[] {
  const english = stem(plain);
  // one that is a form of the English stem, such as the word as it is written, would count twice
  const others = stemsOf(plain).filter((form) => stem(form) !== english);
  const inLanguages = stemmedLanguages.filter((language) => language !== 'en');
  return [...new Set([english, ...others, ...inLanguages.map((language) => marked(language, plain))])];
}

function markedForm(language: StemmedLanguage, plain: string): string[] {
  const form = stemIn(language, plain);
  return form === stem(plain) ? [] : [marked(language, plain)];
}

function marked(language: StemmedLanguage, plain: string): string {
  return `4${language}${stemIn(language, plain)}`;
}

/** What long words of a text may end with, as stems, where its language writes two words as one. */
export function compoundParts(text: string, language: StemmedLanguage): string[] {
  if (!joinsWords(language)) return [];
  const parts = piecesOf(text).flatMap((piece) =>
    piece.kind === 'word' ? wordForms(piece.text).flatMap((word) => lastParts(stemIn(language, word))) : [],
  );
  return [...new Set(parts)];
}

/** `e-mail` and `wi-fi` as one word, since many people write them so: words that a hyphen joins to one of a letter or two. */
function hyphenated(before: Piece | undefined, piece: Piece, language: StemmedLanguage): string {
  if (before?.kind !== 'word' || piece.kind !== 'word' || before.at + before.text.length + 1 !== piece.at)
    return '';
  const word = before.text + piece.text;
  const isShort = Math.min(before.text.length, piece.text.length) <= 2 && word.length <= longestWord;
  if (!isShort || !/[-‐]/.test(piece.of.charAt(piece.at - 1)) || !/\p{L}/u.test(word)) return '';
  return ` ${stemIn(language, fold(word))}`;
}

function indexedAs(piece: Piece, language: StemmedLanguage): string {
  if (piece.kind !== 'word' || piece.text.length > longestWord)
    return indexForms(piece)
      .map((form) => stemIn(language, form))
      .join(' ');
  if (language === 'en') return indexedWord(piece.text);
  return wordForms(piece.text)
    .map((form) => stemIn(language, form))
    .join(' ');
}

/** People use few words. */
const indexedWord = memoize(40_000, (word) => wordForms(word).map(stem).join(' '));

/** The plain words of a text in order, without stemming: for comparing two texts word by word. */
export function plainWords(text: string): string[] {
  return piecesOf(text).flatMap(queryForms);
}

/** The plain words by which an entry of the journal is found: parts and wholes of compounds and numbers, each beginning of a version, and emoji. */
export function heldWords(text: string): string[] {
  return [...piecesOf(text).flatMap(indexForms), ...emojiWords(text)];
}

/** The stems of a word in every language, of which no text need say which one it is in. */
export function stemsOf(word: string): string[] {
  return [...new Set([stem(word), ...stemmedLanguages.map((language) => stemIn(language, word))])];
}

/** What a query asks of `heldWords`. */
export function soughtWords(text: string): string[] {
  return [...plainWords(text), ...emojiWords(text)];
}

const emoji = lazy(() => /\p{RGI_Emoji}/gv);

/** Emoji as words: by their code points, since full text has no letters in them. */
function emojiWords(text: string): string[] {
  if (!unusual.test(text)) return [];
  return [...text.matchAll(emoji())].map(([one]) =>
    [...one]
      .filter((point) => point !== '\ufe0f')
      .map((point) => `u${point.codePointAt(0)?.toString(16)}`)
      .join(''),
  );
}

interface Piece {
  kind: 'run' | 'number' | 'word';
  text: string;
  /** Its place, and in what. */
  at: number;
  of: string;
}

const unusual = /[^\n\r\t -~]/;
const plainPieces = /(\d+(?:[.,:]\d+)+)|[A-Za-z0-9_']+/g;

function piecesOf(text: string): Piece[] {
  const isPlain = !unusual.test(text);
  const shaped = isPlain ? text : text.normalize('NFKC').replaceAll('\u0000', ' ');
  const named = /[+#]/.test(shaped)
    ? shaped.replace(/\bc\+\+/gi, ' cplusplus ').replace(/\b([cf])#/gi, ' $1sharp ')
    : shaped;
  // `v1.2.3` is the number that it is, which `1.2` begins
  const of = /\d\.\d/.test(named) ? named.replace(/\bv(?=\d+\.\d)/gi, ' ') : named;
  const found: Piece[] = [];
  if (isPlain) {
    for (const match of of.matchAll(plainPieces))
      found.push({ kind: match[1] === undefined ? 'word' : 'number', text: match[0], at: match.index, of });
    return found;
  }
  for (const match of of.matchAll(pieces())) {
    const kind = match[1] !== undefined ? 'run' : match[2] !== undefined ? 'number' : 'word';
    found.push({ kind, text: match[0], at: match.index, of });
  }
  return found;
}

/** A number, or a capital that opens no sentence. */
function isNamed({ kind, text, at, of }: Piece): boolean {
  if (kind !== 'word' || !/^\p{Lu}/u.test(text)) return kind === 'number';
  return /[\p{L}\p{N},;:'")][ \t]+$/u.test(of.slice(Math.max(0, at - 4), at));
}

function indexForms(piece: Piece): readonly string[] {
  if (piece.kind === 'run') {
    const characters = charactersOf(piece.text);
    const words = spelledOut.test(piece.text) ? segmentsOf(piece.text) : [];
    return [...words, ...pairs(characters), ...characters];
  }
  return piece.kind === 'number' ? numberForms(piece.text) : wordForms(piece.text);
}

/** Its parts, it as a whole, and how one of several parts begins: who asks for `24.11.` means `24.11.2026` too. */
function numberForms(number: string): readonly string[] {
  const parts = number.split(/[.,:]/);
  const beginnings = parts
    .slice(2, longestBeginning + 1)
    .map((_, index) => parts.slice(0, index + 2).join(''));
  return [...parts, ...beginnings, parts.join('')];
}

function wordForms(word: string): readonly string[] {
  const parts = partsOf(word);
  const joined = parts.length > 1 ? fold(word.replace(/[_'’]/g, '')) : '';
  return joined === '' ? parts : [...parts, joined];
}

function queryForms(piece: Piece): readonly string[] {
  if (piece.kind === 'run') {
    if (spelledOut.test(piece.text)) return segmentsOf(piece.text);
    return runWords(piece.text).flatMap((characters) =>
      characters.length === 1 ? characters : pairs(characters),
    );
  }
  if (piece.kind === 'number') return [piece.text.replace(/[.,:]/g, '')];
  const parts = partsOf(piece.text);
  const long = parts.filter((part) => part.length > 2);
  return long.length > 0 && parts.length > 1 ? long : parts;
}

/** The parts of `getUserName`, `user_name`, `O'Brien`; a possessive loses its `s`, a contraction (`don't`) its apostrophe. */
function partsOf(word: string): readonly string[] {
  if (simple.test(word)) return [word.toLowerCase().slice(0, longestWord)];
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

/** The words of text without spaces, as the segmenter finds them. */
function segmentsOf(run: string): string[] {
  return [...wordsOfRuns().segment(run)].map(({ segment }) => segment);
}

/** The words of text without spaces, by their characters. Single ones next to each other are a word that the segmenter does not know. */
function runWords(run: string): string[][] {
  const words: string[][] = [];
  let isOpen = false;
  for (const { segment } of wordsOfRuns().segment(run)) {
    const characters = charactersOf(segment);
    const isSingle = characters.length === 1 && !isStop('en', segment);
    if (isSingle && isOpen) words.at(-1)?.push(...characters);
    else words.push(characters);
    isOpen = isSingle;
  }
  return words;
}

function charactersOf(run: string): string[] {
  return [...graphemes().segment(run)].map(({ segment }) => segment);
}

function pairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
