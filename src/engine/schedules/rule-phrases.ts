// Other ways to say a rule, as the one that is read; and until when it holds. English and German. Pure.
import { readEnd } from './read-date.ts';
import type { ReadFrame } from './read-rule.ts';

const ordinal = String.raw`(?:(\d{1,2})(?:st|nd|rd|th|\.)?|(first|ersten)|(last|letzten)(?:\s+(?:day|tag))?)`;

/** Phrases that name the day before the month: `on the 1st of every month`, `every last day of the month`, `am 1. jedes Monats`. */
const daysOfMonths: readonly (readonly [RegExp, 'en' | 'de'])[] = [
  [
    new RegExp(
      String.raw`(?<!\S)(?:on\s+)?the\s+${ordinal}\s+(?:day\s+)?of\s+(?:every|each)\s+month(?!\p{L})`,
      'iu',
    ),
    'en',
  ],
  [
    new RegExp(
      String.raw`(?<!\S)every\s+${ordinal}\s+(?:day\s+)?of\s+(?:the|every|each)\s+month(?!\p{L})`,
      'iu',
    ),
    'en',
  ],
  [
    new RegExp(String.raw`(?<!\S)am\s+${ordinal}\s+(?:jede[ns]|eines\s+jeden)\s+monats?(?!\p{L})`, 'iu'),
    'de',
  ],
  [new RegExp(String.raw`(?<!\S)jeden\s+${ordinal}\s+(?:des|im)\s+monats?(?!\p{L})`, 'iu'), 'de'],
];

/** The text with the day of a month behind the month, as rules are read: `every month on the 1st`. */
export function withUsualPhrases(text: string): string {
  for (const [phrase, language] of daysOfMonths)
    text = text.replace(phrase, (_, day?: string, first?: string, last?: string) => {
      const figures = first === undefined ? day : '1';
      if (language === 'en')
        return last === undefined ? `every month on the ${figures}` : 'every month on the last day';
      return last === undefined ? `jeden Monat am ${figures}.` : 'jeden Monat am letzten Tag';
    });
  return text.replace(/^(?:on|an)\s+(?=(?:weekdays|workdays|werktagen|wochentagen)(?!\p{L}))/iu, '');
}

/** What makes a rule at the end of a text another one, which is not read: `the 1st and 15th of every month`, `the first Monday of every month`. */
export const isOpenBefore = (text: string): boolean => /(?:^|\s)(?:of|des|in)(?:\s+the)?\s*$/iu.test(text);

/** What begins the end of a rule. */
export const untilWord = /^(?:until|till|til|bis(?:\s+(?:zum|einschließlich))?)\s+/iu;
const lastUntil = /^(.*\S)\s+((?:until|till|til|bis(?:\s+zum)?)\s+.+)$/isu;

/**
 * The end of a rule, directly behind it or, where it names a day, at the end of the text; with the words that are left. A day without a time
 * counts whole.
 */
export function readUntil(rest: string, frame: ReadFrame): { until: number | undefined; rest: string } {
  const trimmed = rest.trimStart();
  const word = untilWord.exec(trimmed);
  if (word !== null) {
    const end = readEnd(trimmed.slice(word[0].length), frame);
    if (end !== undefined) return { until: end.at, rest: end.rest };
  }
  const [, before = '', last = ''] = lastUntil.exec(trimmed) ?? [];
  const end = last === '' ? undefined : readEnd(last.replace(untilWord, ''), frame);
  // a time alone belongs to what is to be done: "work until 6pm"
  if (end === undefined || !end.hasDay || /[\p{L}\p{N}]/u.test(end.rest)) return { until: undefined, rest };
  return { until: end.at, rest: before };
}
