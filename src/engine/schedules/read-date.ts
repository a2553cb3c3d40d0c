// Single dates and times as people write them, in English and German. The zone decides what a wall time is. Pure.
// two of its sixteen languages: all of them are 270 files, which each start would read
import * as de from 'chrono-node/de';
import * as en from 'chrono-node/en';
import { momentOfWall, type Temporal, wallAt } from './zones.ts';

interface ReadDate {
  /** Milliseconds since the epoch. */
  at: number;
  /** It is so long from now, and needs no zone. */
  relative: boolean;
  /** What is around it. */
  rest: string;
}

/** The hour of a day for which none was written. */
const usualHour = 9;
/** What says the hour although it names none: so long from now, or a part of the day. */
const hourTags =
  /^(?:result\/relativeDate|casualReference\/(?:morning|noon|afternoon|evening|tonight|night|midnight|now))$/;

/** Languages in the order in which they are tried; of equally long readings the first counts. Dates in figures are read day first outside of America. */
const readers = (zone: string): en.Chrono[] => [zone.startsWith('America/') ? en.casual : en.GB, de.casual];

/** Words that the library reads wrongly or not at all, as others that it reads. */
const rewritten: readonly (readonly [RegExp, string])[] = [
  [/\bin einer halben stunde\b/giu, 'in 30 Minuten'],
  [/\bin einer viertelstunde\b/giu, 'in 15 Minuten'],
  [/\bin einer dreiviertelstunde\b/giu, 'in 45 Minuten'],
  [/\bmorgen früh(?!\s+um)/giu, 'morgen um 8:00'],
  [/\bmorgen früh\b/giu, 'morgen'],
];

/** Words before a time that belong to neither it nor the text. */
const filler = /^(?:(?:me|mich|on|at|for|from|ab|am|um|please|bitte)\s+)*$/iu;

/** The library works in UTC here: its "now" is the wall time of the zone. */
const wallReference = (now: number, zone: string) => ({
  instant: new Date(`${wallAt(now, zone).toString({ smallestUnit: 'second' })}Z`),
  timezone: 0,
});

/**
 * The time with which a text begins, else the one with which it ends; undefined where there is none in either place. A wall time that
 * clocks skip is read as so much later, and of one that comes twice the first is meant.
 */
export function readDate(text: string, { now, zone }: { now: number; zone: string }): ReadDate | undefined {
  const known = withYear(
    rewritten.reduce((words, [from, to]) => words.replace(from, to), text),
    wallAt(now, zone),
  );
  const found = readers(zone)
    .map((reader) => reader.parse(dayFirst(known), wallReference(now, zone), { forwardDate: true }))
    .flatMap((results) => placed(results, known))
    .sort((a, b) => b.result.text.length - a.result.text.length || Number(b.first) - Number(a.first))[0];
  if (found === undefined) return undefined;
  const { result } = found;
  const before = known.slice(0, result.index);
  const after = known.slice(result.index + result.text.length);
  const rest = (found.first ? after : before).trim();
  const wall = wallOfResult(result);
  const relative = result.tags().has('result/relativeDateAndTime');
  const at = relative ? now + (utcOf(wall) - utcOf(wallAt(now, zone))) : momentOfWall(wall, zone);
  return { at, relative, rest };
}

/** German dates in figures without a year, `24.12.`, with the year in which they come next. */
function withYear(text: string, today: Temporal.PlainDateTime): string {
  return text.replace(/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(?!\d)/g, (figures, day: string, month: string) => {
    const [d, m] = [Number(day), Number(month)];
    if (d < 1 || d > 31 || m < 1 || m > 12) return figures;
    const isPast = m < today.month || (m === today.month && d < today.day);
    return `${day}.${month}.${today.year + (isPast ? 1 : 0)}`;
  });
}

/** English months with a day of two figures behind them and no year: outside of America the library takes these figures for a year. */
const monthFirst =
  /(?<!\p{L})(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)(\s+)(\d{2})(?![\d:.]|\s*(?:st|nd|rd|th)|,?\s+\d{4}|\s*[ap]m)(?!\p{L})/giu;

/** The day before the month, in as many characters, so that a place in the one text is the same in the other. */
const dayFirst = (text: string): string => text.replace(monthFirst, '$3$2$1');

/**
 * When something ends, at the beginning of a text: a day without a time ends at 23:59. Undefined where there is none.
 */
export function readEnd(
  text: string,
  { now, zone }: { now: number; zone: string },
): { at: number; hasDay: boolean; rest: string } | undefined {
  const known = withYear(text, wallAt(now, zone));
  const found = readers(zone)
    .flatMap((reader) =>
      reader.parse(dayFirst(known), wallReference(now, zone), { forwardDate: true }).slice(0, 1),
    )
    .filter((result) => filler.test(known.slice(0, result.index)) && isWhole(known, result))
    .sort((a, b) => b.text.length - a.text.length)[0];
  if (found === undefined) return undefined;
  const { start, index, text: read } = found;
  const wall = wallAt(start.date().getTime(), 'UTC');
  const end = start.isCertain('hour') ? wall : wall.with({ hour: 23, minute: 59, second: 0, millisecond: 0 });
  const hasDay = start.isCertain('day') || start.isCertain('weekday') || start.isCertain('month');
  return { at: momentOfWall(end, zone), hasDay, rest: known.slice(index + read.length).trim() };
}

/** The first reading where it opens the text, and the last where it ends it. */
function placed(
  results: readonly en.ParsedResult[],
  text: string,
): { result: en.ParsedResult; first: boolean }[] {
  const [first] = results;
  const last = results.at(-1);
  if (first !== undefined && filler.test(text.slice(0, first.index)) && isWhole(text, first))
    return [{ result: first, first: true }];
  const ends = last !== undefined && /^[\s.!?]*$/.test(text.slice(last.index + last.text.length));
  return ends && isWhole(text, last) ? [{ result: last, first: false }] : [];
}

/** A reading that ends inside of a word has misread it. */
const isWhole = (text: string, { index, text: read }: en.ParsedResult): boolean =>
  !/^[\p{L}\p{N}]/u.test(text.slice(index + read.length)) && !/[\p{L}\p{N}]$/u.test(text.slice(0, index));

function wallOfResult(result: en.ParsedResult): Temporal.PlainDateTime {
  const { start } = result;
  const date = start.date();
  const wall = wallAt(date.getTime(), 'UTC');
  const tags = [...result.tags()];
  const hasHour = start.isCertain('hour') || tags.some((tag) => hourTags.test(tag));
  return hasHour ? wall : wall.with({ hour: usualHour, minute: 0, second: 0, millisecond: 0 });
}

const utcOf = (wall: Temporal.PlainDateTime): number => wall.toZonedDateTime('UTC').epochMilliseconds;

/** The time of the day with which a text begins, like `at 9:30` or `um 9 Uhr`. */
export function readClock(
  text: string,
  { now, zone }: { now: number; zone: string },
): { time: string; rest: string } | undefined {
  const found = readers(zone)
    .flatMap((reader) => reader.parse(text, wallReference(now, zone), { forwardDate: true }).slice(0, 1))
    .filter((result) => filler.test(text.slice(0, result.index)) && isClock(result) && isWhole(text, result))
    .sort((a, b) => b.text.length - a.text.length)[0];
  if (found === undefined) return undefined;
  const { hour, minute } = wallAt(found.start.date().getTime(), 'UTC');
  const two = (n: number): string => String(n).padStart(2, '0');
  return { time: `${two(hour)}:${two(minute)}`, rest: text.slice(found.index + found.text.length).trim() };
}

const isClock = ({ start }: en.ParsedResult): boolean =>
  !start.isCertain('day') && !start.isCertain('weekday') && !start.isCertain('month');

/** A leap year, in which every day that there is can be read. */
const leapYear = { instant: new Date(Date.UTC(2028, 0, 1)), timezone: 0 };

/** The day of a year with which a text begins, like `on 29 February` or `am 3. Mai`. */
export function readDay(text: string): { day: number; month: number; rest: string } | undefined {
  const found = [en.GB, de.casual]
    .flatMap((reader) => reader.parse(text, leapYear).slice(0, 1))
    .filter(
      ({ index, start }) =>
        filler.test(text.slice(0, index)) && start.isCertain('day') && start.isCertain('month'),
    )
    .sort((a, b) => b.text.length - a.text.length)[0];
  if (found === undefined) return undefined;
  const { day, month } = wallAt(found.start.date().getTime(), 'UTC');
  const clock = found.start.isCertain('hour');
  // the time of the day is read by its own reader
  const end = clock ? found.text.search(/\s+(?:at|um|,)\s/iu) : found.text.length;
  const used = end === -1 ? found.text.length : end;
  return { day, month, rest: text.slice(found.index + used).trim() };
}
