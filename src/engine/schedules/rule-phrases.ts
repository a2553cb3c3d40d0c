// Other ways to say a rule, as the one that is read; and until when it holds. English and German. Pure.
import { readClock, readEnd } from './read-date.ts';
import type { ReadFrame } from './read-rule.ts';

const ordinal = String.raw`(?:\d{1,2}(?:st|nd|rd|th|\.)?|first|ersten|last|letzten)(?:\s+(?:days?|tag))?`;
const ordinals = String.raw`(${ordinal}(?:(?:\s*,\s*|\s+(?:and|und)\s+|\s*&\s*)(?:(?:and|und)\s+)?(?:(?:on|am)\s+)?(?:the\s+)?${ordinal})*)`;

/**
 * Phrases that name the day before the month: `on the 1st of every month`, `every last day of the month`, `am 1. und 15. jedes Monats`, `on
 * the 1st of every quarter`.
 */
const daysOfMonths: readonly (readonly [RegExp, 'en' | 'de'])[] = [
  [
    new RegExp(
      String.raw`(?<!\S)(?:on\s+)?the\s+${ordinals}\s+of\s+(?:every|each)\s+(month|quarter)(?!\p{L})`,
      'iu',
    ),
    'en',
  ],
  [
    new RegExp(
      String.raw`(?<!\S)every\s+${ordinals}\s+of\s+(?:the|every|each)\s+(month|quarter)(?!\p{L})`,
      'iu',
    ),
    'en',
  ],
  [
    new RegExp(
      String.raw`(?<!\S)am\s+${ordinals}\s+(?:jede[ns]|eines\s+jeden)\s+(monat|quartal)s?(?!\p{L})`,
      'iu',
    ),
    'de',
  ],
  [new RegExp(String.raw`(?<!\S)jeden\s+${ordinals}\s+(?:des|im)\s+(monat|quartal)s?(?!\p{L})`, 'iu'), 'de'],
];

const week = '(?:first|second|third|fourth|fifth|last|[1-5](?:st|nd|rd|th))';
const weeks = String.raw`(${week}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*)(?:the\s+)?${week})*)`;
const weekday = '((?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)';
const woche = String.raw`(?:(?:erste|zweite|dritte|vierte|fünfte|letzte)[nrsm]?|[1-5]\.)`;
const wochen = String.raw`(${woche}(?:(?:\s*,\s*|\s+und\s+|\s*&\s*)(?:am\s+)?${woche})*)`;
const wochentag = '((?:mon|diens|donners|frei|sams)tags?|mittwochs?|sonnabends?|sonntags?)';

/**
 * Phrases that name the weekday before the month: `on the first Monday of every month`, `the last Friday of the month`, `every 1st and 3rd Monday of
 * every other month`, `ersten Montag im Monat`. Without a month only the first and the last are of one: `every second Friday` is every other.
 */
const weekdaysOfMonths: readonly (readonly [RegExp, (...found: (string | undefined)[]) => string])[] = [
  [
    new RegExp(
      String.raw`(?<!\S)(?:(?:on|every|each|the)\s+)*${weeks}\s+${weekday}\s+(?:of|in)\s+(?:the|a|each|every(?:\s+(other|second|third|\d{1,2}|two|three|four|six))?)\s+months?(?!\p{L})`,
      'iu',
    ),
    (ordinals, day, count) =>
      `every ${count === undefined ? 'month' : `${count} months`} on the ${ordinals} ${day}`,
  ],
  [
    new RegExp(
      String.raw`(?<!\S)(?:on\s+)?(?:every|each)\s+(first|1st|last)\s+${weekday}(?!\p{L}|\s+(?:of|in)\s)`,
      'iu',
    ),
    (ordinal, day) => `every month on the ${ordinal} ${day}`,
  ],
  [
    new RegExp(
      String.raw`(?<!\S)(?:(?:am|an|jede[mn]|de[nmr])\s+)*${wochen}\s+${wochentag}\s+(?:im|des|in\s+jedem|jede[ns]|eines(?:\s+jeden)?)\s+monats?(?!\p{L})`,
      'iu',
    ),
    (ordinals, day) => `jeden Monat am ${ordinals} ${day}`,
  ],
  [
    new RegExp(
      String.raw`(?<!\S)(?:an\s+)?jede[mn]\s+(erste[nrsm]?|1\.|letzte[nrsm]?)\s+${wochentag}(?!\p{L}|\s+(?:im|in|des)\s)`,
      'iu',
    ),
    (ordinal, day) => `jeden Monat am ${ordinal} ${day}`,
  ],
];

/** The text with the days of a month behind the month, as rules are read: `every month on the 1st`. */
export function withUsualPhrases(text: string): string {
  for (const [phrase, language] of daysOfMonths)
    text = text.replace(phrase, (_, days: string, unit: string) =>
      language === 'en' ? `every ${unit} on the ${days}` : `jedes ${unit} am ${days}`,
    );
  for (const [phrase, canonical] of weekdaysOfMonths)
    text = text.replace(phrase, (_, ...found: (string | undefined)[]) => canonical(...found));
  return text.replace(/^(?:on|an)\s+(?=(?:weekdays|workdays|werktagen|wochentagen)(?!\p{L}))/iu, '');
}

/** What makes a rule at the end of a text another one, which is not read: `the 1st and 15th of every month`. */
export const isOpenBefore = (text: string): boolean =>
  /(?:^|\s)(?:(?:of|des|in)(?:\s+the)?|or|and|oder|und)\s*$/iu.test(text);

const figures = String.raw`\d{1,2}(?:[:.]\d{2})?`;
const wordsOfTime = String.raw`noon|midnight|mittag|mitternacht|(?:half|quarter)\s+(?:past|to)\s+\p{L}+|(?:halb|dreiviertel|viertel\s+(?:nach|vor))\s+\p{L}+`;
const anyClock = String.raw`${figures}(?:\s*(?:a\.?m\.?|p\.?m\.?|uhr|o['’]clock|h))?|${wordsOfTime}`;
const days = `(?:sun|mon|tues|wednes|thurs|fri|satur)days|(?:sonn|mon|diens|donners|frei|sams)tags|mittwochs|sonnabends|weekends|wochenenden`;
const ruleAhead = String.raw`(?=(?:every|each|jede[nrsm]?|alle|daily|weekly|monthly|quarterly|yearly|täglich|wöchentlich|monatlich|vierteljährlich|jährlich|werktags|(?:(?:on|an)\s+)?(?:weekdays|workdays|werktagen|${days}))(?!\p{L}))`;
/** A time that stands directly before a rule; without `at` only at the beginning, and only what can be nothing else. */
const timeBefore = new RegExp(
  String.raw`(?:(?:^|\s)(?:at|um|gegen)\s+(${anyClock})|^(\d{1,2}[:.]\d{2}(?:\s*[ap]m)?|\d{1,2}\s*(?:[ap]m|uhr)))\s*,?\s+${ruleAhead}`,
  'iu',
);

/** The text without a time that stands before its rule (`at 9 every Monday`), and that time; undefined where there is none. */
export function timeBeforeRule(text: string, frame: ReadFrame): { text: string; time: string } | undefined {
  const found = timeBefore.exec(text);
  const clock = found === null ? undefined : readClock(`at ${found[1] ?? found[2]}`, frame);
  if (found === null || clock === undefined || clock.rest !== '') return undefined;
  const around = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
  return { text: withUsualPhrases(around.join(' ').trim()), time: clock.time };
}

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
