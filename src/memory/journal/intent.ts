// Which lessons an intent is about: by their words, tags and kind of task, in any language, those with the rarest words first. Pure.
import { memoize } from '#base/caches/memoize.ts';
import { isStop, type StemmedLanguage, stemmedLanguages, textLanguage } from '#memory/words/languages.ts';
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
  const intended = intentWords(intent).map(formsOf);
  if (intended.length === 0) return [];
  const held = lessons.map((row) => ({
    row,
    text: wordForms(row.lesson),
    named: wordForms(`${row.tags} ${row.task_type}`),
  }));
  const has = (held: ReadonlySet<string>, forms: readonly string[]): boolean =>
    forms.some((form) => held.has(form));
  const weights = intended.map((forms) => {
    const count = held.filter(({ text, named }) => has(text, forms) || has(named, forms)).length;
    return Math.log(1 + lessons.length / (count + 0.5));
  });
  return held
    .map(({ row, text, named }) => ({
      row,
      score: intended.reduce((sum, forms, index) => {
        const times = has(named, forms) ? namedWeight : has(text, forms) ? 1 : 0;
        return sum + times * (weights[index] ?? 0);
      }, 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ row }) => row);
}

function wordForms(text: unknown): ReadonlySet<string> {
  return new Set(heldWords(String(text)).flatMap(formsOf));
}
