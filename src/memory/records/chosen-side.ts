// Which of several memories a person means who answers which one holds. Pure.
import { comparableText } from '#memory/words/content-hash.ts';

interface Side {
  id: string;
  text: string;
}

/** Letters of an id that are enough to name it. */
const shortID = 6;

/**
 * The id of the side that the answer means: by its number, counted from 1, by its id or the end of it, or by words that stand in this side
 * alone ("14 MB"). Undefined for an answer that means none or might mean several, as one that says more than the side does ("not 14 MB").
 */
export function chosenSide(answer: string, sides: readonly Side[]): string | undefined {
  const words = plain(answer);
  if (words === '') return undefined;
  const same = sides.filter(({ text }) => plain(text) === words);
  const meant = new Set(
    (same.length > 0 ? same : sides.filter(({ text }) => isIn(words, plain(text)))).map(({ id }) => id),
  );
  const numbered = /^\d{1,2}$/.test(words) ? sides[Number(words) - 1] : undefined;
  if (numbered !== undefined) meant.add(numbered.id);
  const named = sides.find(({ id }) => words.length >= shortID && id.toLowerCase().endsWith(words));
  if (named !== undefined) return named.id;
  const [one, ...more] = meant;
  return more.length === 0 ? one : undefined;
}

/** The words without the signs around them, in any case. */
function plain(text: string): string {
  return comparableText(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** Whether the words stand in the text, as whole words in scripts that have spaces between them. */
function isIn(words: string, text: string): boolean {
  const letter = '[\\p{L}\\p{N}\\p{M}]';
  const hasSpaces = !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(words);
  const [before, behind] = hasSpaces ? [`(?<!${letter})`, `(?!${letter})`] : ['', ''];
  return new RegExp(`${before}${RegExp.escape(words)}${behind}`, 'u').test(text);
}
