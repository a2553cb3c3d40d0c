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

const hours = String.raw`(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|ein|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)`;
const hourNames =
  'one two three four five six seven eight nine ten eleven twelve ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(
    ' ',
  );
const weekdays =
  '(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag';

/** Words that the library reads wrongly or not at all, as others that it reads. */
const rewritten: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [/(?<!\p{L})in einer halben stunde(?!\p{L})/iu, 'in 30 Minuten'],
  [/(?<!\p{L})in einer viertelstunde(?!\p{L})/iu, 'in 15 Minuten'],
  [/(?<!\p{L})in einer dreiviertelstunde(?!\p{L})/iu, 'in 45 Minuten'],
  [/(?<!\p{L})in (?:anderthalb|eineinhalb|1,5) stunden(?!\p{L})/iu, 'in 90 Minuten'],
  [/(?<!\p{L})in (?:an hour and a half|one and a half hours)(?!\p{L})/iu, 'in 90 minutes'],
  [/(?<!\p{L})(?:heute|today) (?=in (?:\d|an? |one |half |einer? ))/iu, ''],
  [/(?<!\p{L})morgen früh(?!\s+um)(?!\p{L})/iu, 'morgen um 8:00'],
  [/(?<!\p{L})morgen früh(?!\p{L})/iu, 'morgen'],
  [
    new RegExp(String.raw`(?<!\p{L})(tomorrow|${weekdays}) morning(?!\s+at|\s*\d)(?!\p{L})`, 'iu'),
    (_, day = '') => `${day} at 8:00`,
  ],
  [
    new RegExp(
      String.raw`(?<!\p{L})(${weekdays})(?=(?:vormittag|mittag|nachmittag|abend|nacht)(?!\p{L}))`,
      'iu',
    ),
    (_, day = '') => `${day} `,
  ],
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:(next) week|(nächste) woche) (?:on |am )?(${weekdays})(?!\p{L})`,
      'iu',
    ),
    (_, next = '', __, day = '') => (next === '' ? `${day} nächste Woche` : `${day} next week`),
  ],
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:(half|quarter) (past|to)|(halb|viertel nach|viertel vor|dreiviertel)) ${hours}(?!\p{L}|:)`,
      'iu',
    ),
    (_, part = '', side = '', german = '', hour = '') =>
      clockOf(`${part} ${side}${german}`.trim().toLowerCase(), hour),
  ],
];

/** A time of the day in words, in figures. */
function clockOf(words: string, named: string): string {
  const at = hourNames.indexOf(named.toLowerCase().replace(/^eins$/, 'ein'));
  const hour = at < 0 ? Number(named) : (at % 12) + 1;
  const isBefore = ['quarter to', 'viertel vor', 'halb', 'dreiviertel'].includes(words);
  const minutes = /half|halb/.test(words) ? '30' : /to$|vor$|drei/.test(words) ? '45' : '15';
  return `${isBefore ? (hour + 23) % 24 || 12 : hour}:${minutes}`;
}

/** The text with such words read at its beginning, or at its end: elsewhere they are of what is to be done. */
function withReadable(text: string, { zone, at }: { zone: string; at: 'beginning' | 'end' }): string {
  return rewritten.reduce((words, [from, to]) => {
    const found = from.exec(words);
    if (found === null) return words;
    const before = words.slice(0, found.index);
    const after = words.slice(found.index + found[0].length);
    if (at === 'end' ? !endsWithTime.test(after) : !isOfTime(before, zone)) return words;
    return before + (typeof to === 'string' ? to : to(...found)) + after;
  }, text);
}

const endsWithTime = /^\s*(?:(?:at|um|by|gegen)?\s*\d{1,2}(?:[:.]\d{2})?\s*(?:am|pm|uhr)?)?[\s.!?]*$/iu;

/** Whether words say nothing but the day: `on Monday at`. */
function isOfTime(words: string, zone: string): boolean {
  if (filler.test(words)) return true;
  const plain = words.replace(/\s+(?:at|on|um|am|by)\s*$/iu, '').trim();
  return readers(zone).some((reader) =>
    reader
      .parse(plain)
      .some(
        ({ index, text, start }) =>
          filler.test(plain.slice(0, index)) &&
          index + text.length === plain.length &&
          !start.isCertain('hour'),
      ),
  );
}

/** The next day of a month that is named by its number alone, and the last day of this one, with the month: `on the 1st`, `am 1.`. */
function withMonth(text: string, today: Temporal.PlainDateTime): string {
  const dayIn = (month: Temporal.PlainDateTime, day: number): string =>
    month
      .with({ day: Math.min(day, month.daysInMonth) })
      .toPlainDate()
      .toString();
  return text
    .replace(lastOfMonth, (_, before: string) => `${before}${dayIn(today, today.daysInMonth)}`)
    .replace(dayAlone, (figures, before: string, english?: string, german?: string, first?: string) => {
      const day = first === undefined ? Number(english ?? german) : 1;
      if (day < 1 || day > 31) return figures;
      for (let month = today.with({ day: 1 }), at = 0; at < 12; month = month.add({ months: 1 }), at += 1)
        if (month.daysInMonth >= day && (at > 0 || day >= today.day)) return `${before}${dayIn(month, day)}`;
      return figures;
    });
}

const monthNames = String.raw`(?:jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}*`;
const lastOfMonth =
  /^((?:me |mich )?)(?:on the last day of (?:the|this) month|am letzten tag (?:des|dieses) monats|am monatsende)(?!\p{L})/iu;
const dayAlone = new RegExp(
  String.raw`^((?:me |mich )?)(?:on the (\d{1,2})(?:st|nd|rd|th)(?: of (?:the|this) month)?|am (\d{1,2})\.(?: (?:des|dieses) monats)?|(?:on )?the (first) of the month)(?=\s+(?!${monthNames}|of\b)\S|\s*$)`,
  'iu',
);

/** Words before a time that belong to neither it nor the text. */
const filler = /^(?:(?:me|mich|on|at|for|from|ab|am|um|the|please|bitte)\s+)*$/iu;

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
  const today = wallAt(now, zone);
  const plain = withYear(withMonth(text, today), today);
  const readable = withReadable(plain, { zone, at: 'beginning' });
  const begun = readIn(readable, { now, zone });
  return begun?.first === true
    ? begun
    : (readIn(withReadable(readable, { zone, at: 'end' }), { now, zone }) ?? begun);
}

function readIn(
  known: string,
  { now, zone }: { now: number; zone: string },
): (ReadDate & { first: boolean }) | undefined {
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
  return { at, relative, rest, first: found.first };
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
  typed: string,
  { now, zone }: { now: number; zone: string },
): { time: string; rest: string } | undefined {
  const text = withReadable(typed, { zone, at: 'beginning' });
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
