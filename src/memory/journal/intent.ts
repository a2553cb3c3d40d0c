// Which lessons an intent is about: by their words, tags and kind of task, in any language, those with the rarest words first. Pure.
import { memoize } from '#base/caches/memoize.ts';
import {
  asPart,
  beginsOrEndsWith,
  isStop,
  joinsWords,
  minPart,
  type StemmedLanguage,
  stemIn,
  stemmedLanguages,
  textLanguage,
} from '#memory/words/languages.ts';
import { heldWords, soughtWords, stemsOf } from '#memory/words/tokens.ts';
import type { JournalRow } from './rows.ts';

/** The lessons of an agent repeat their words. */
const formsOf = memoize(20_000, stemsOf);

/** Of fewer words nobody knows the language. */
const tellingLength = 3;

/** What a word is worth that a lesson has as a tag or as its kind of task, compared with one of its text: less than two of them. */
const namedWeight = 1.5;

/** The words of an intent that say what it is about: none where one language has all of them for words that say nothing. */
export function intentWords(intent: string): string[] {
  const words = [...new Set(soughtWords(intent))];
  const isEmptyIn = (language: StemmedLanguage): boolean =>
    words.every((word) => isStop('en', word) || isStop(language, word));
  if (stemmedLanguages.some(isEmptyIn)) return [];
  const language = words.length < tellingLength ? 'en' : textLanguage(intent);
  return words.filter((word) => !isStop('en', word) && !isStop(language, word));
}

/** The lessons that have a word in common with the intent, the best first; of equally good ones the newest, as they were given. */
export function lessonsFor(intent: string, lessons: readonly JournalRow[]): JournalRow[] {
  const intended = intentWords(intent);
  if (intended.length === 0) return [];
  const times = lessons.map((row) => {
    const language = textLanguage(String(row.lesson));
    const text = heldBy(row.lesson, language);
    const named = heldBy(`${row.tags} ${row.task_type}`, language);
    return intended.map((word) => Math.max(text(word), namedWeight * named(word)));
  });
  const weights = intended.map((_, index) => {
    const count = times.filter((of) => of[index] !== 0).length;
    return Math.log(1 + lessons.length / (count + 0.5));
  });
  return lessons
    .map((row, at) => ({
      row,
      score: weights.reduce((sum, weight, index) => sum + (times[at]?.[index] ?? 0) * weight, 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);
}

/** How much of a word a text in this language holds: 1 for any form of it, less for one that is a part of a longer word, 0 for none. */
function heldBy(text: unknown, language: StemmedLanguage): (word: string) => number {
  const words = heldWords(String(text));
  const held = new Set(words.flatMap(formsOf));
  const long = joinsWords(language) ? words.map((word) => stemIn(language, word)) : [];
  return (word) => {
    if (formsOf(word).some((form) => held.has(form))) return 1;
    const part = stemIn(language, word);
    return part.length >= minPart && long.some((whole) => beginsOrEndsWith(whole, part)) ? asPart : 0;
  };
}
