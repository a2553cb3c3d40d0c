// What kind of answer a question wants, which dates it names and of which person it speaks. Not its words: those are terms.
import { plainWords } from '#memory/words/tokens.ts';
import { stopWords } from '#memory/words/word-classes.ts';

/** A question as ranking understands it. Text that is no question wants nothing in particular. */
export interface AnalyzedQuery {
  wants: Readonly<
    Record<'time' | 'place' | 'person' | 'number' | 'cause' | 'feeling' | 'name' | 'picture', boolean>
  >;
  /** 0 for January. */
  months: readonly number[];
  days: readonly number[];
  years: readonly number[];
  /** Its words, lower case and unstemmed. */
  words: readonly string[];
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
/** Letters that a short form of a name must share with it: Mel for Melanie. */
const minNickname = 3;

/** Understands a text; never throws. */
export function questionOf(text: string): AnalyzedQuery {
  const lower = text.slice(0, 2000).toLowerCase();
  const words = plainWords(text.slice(0, 2000));
  const named = words.flatMap((word, index) => {
    const month = months.indexOf(word);
    // `may` is a month only next to a number
    const isMonth =
      month >= 0 &&
      (word !== 'may' || /^\d/.test(words[index + 1] ?? words[index - 1] ?? '') || /\bin may\b/.test(lower));
    return isMonth ? [month] : [];
  });
  const numbers = words
    .filter((word) => /^\d{1,4}(st|nd|rd|th)?$/.test(word))
    .map((word) => parseInt(word, 10));
  return {
    wants: {
      time: /\bwhen\b|\b(what|which) (date|day|year|month|time)\b|\bhow long\b/.test(lower),
      place: /\bwhere\b|\b(what|which) (city|country|place|state|town)\b/.test(lower),
      person: /\b(who|whose|whom)\b/.test(lower),
      number: /\bhow (many|much|often|old|long)\b/.test(lower),
      cause: /\b(why|reason|motivat\w+|inspir\w+)\b/.test(lower),
      feeling: /\b(feel\w*|emotion\w*|react\w*|describe\w*|opinion|think about)\b/.test(lower),
      name: /\b(name|names|called|title)\b/.test(lower),
      picture: /\b(photo|picture|pic|image|painting|show|shown|shared|poster|sign)\w*\b/.test(lower),
    },
    months: named,
    days: named.length === 0 ? [] : numbers.filter((number) => number >= 1 && number <= 31),
    years: numbers.filter((number) => number >= 1900 && number < 2100),
    words,
  };
}

/** The speakers whom the question names, by any part of their name or a short form of it. */
export function namedSpeakers(question: AnalyzedQuery, speakers: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...speakers].filter((speaker) => question.words.some((word) => isNameOf(word, speaker))));
}

/** True when the word, lower case, is a part of the name or a short form of its first part. */
export function isNameOf(word: string, speaker: string): boolean {
  if (stopWords.has(word)) return false;
  const parts = plainWords(speaker);
  return (
    parts.includes(word) ||
    (word.length >= minNickname && parts[0]?.startsWith(word) === true && word.length < 8)
  );
}
