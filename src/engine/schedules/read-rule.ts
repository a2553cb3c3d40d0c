// Rules that recur, as people write them in English and German ("every Monday at 9", "alle zwei Wochen"), and cron patterns. Pure.
import type { Recurrence } from '#engine/wire/schedules/schedule.ts';
import { scheduleError } from '#engine/wire/schedules/schedule-problem.ts';
import { readClock, readDay, readEnd } from './read-date.ts';
import { type Temporal, wallAt } from './zones.ts';

interface ReadRule {
  /** `undefined` in place of a time of the day where none was written. */
  rule: Recurrence;
  /** What follows the rule. */
  rest: string;
}

/** Where words are read: now, and the zone of the person who wrote them. */
export interface ReadFrame {
  now: number;
  zone: string;
  /** The time of a day for which none is written behind the rule; nine o'clock when absent. */
  usualTime?: string;
}

type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** The time of a day for which none was written. */
const nine = '09:00';

/** With how many of the unit one of them is. */
const units: readonly (readonly [RegExp, Unit, number?])[] = [
  [/^(?:m|min(?:ute)?[sn]?)\b/i, 'minute'],
  [/^(?:hours?|hrs?|h|stunden?|std)\b/i, 'hour'],
  [/^(?:days?|tage?n?|tags)\b/i, 'day'],
  [/^(?:weeks?|wochen?)\b/i, 'week'],
  [/^(?:months?|monate?n?|monats)\b/i, 'month'],
  [/^(?:quarters?|quartale?n?|quartals)\b/i, 'month', 3],
  [/^(?:half[- ]?years?|halbe[ns]? jahre?|halbjahre?)\b/i, 'month', 6],
  [/^(?:years?|jahre?n?|jahres)\b/i, 'year'],
];
const single: Readonly<Record<string, Unit | readonly [Unit, number]>> = {
  hourly: 'hour',
  stündlich: 'hour',
  daily: 'day',
  täglich: 'day',
  weekly: 'week',
  wöchentlich: 'week',
  monthly: 'month',
  monatlich: 'month',
  quarterly: ['month', 3],
  vierteljährlich: ['month', 3],
  quartalsweise: ['month', 3],
  halbjährlich: ['month', 6],
  yearly: 'year',
  annually: 'year',
  jährlich: 'year',
};
const workdays =
  /^(?:weekdays?|workdays?|working days?|werktag(?:s|en?)?|wochentag(?:s|en?)?|mon(?:day)? to fri(?:day)?|montag bis freitag)(?![\p{L}])/iu;
const weekends = /^(?:weekends?|wochenenden?)(?![\p{L}])/iu;
const dayNames: readonly (readonly [RegExp, number])[] = [
  [/^(?:sundays?|sun|sonntage?s?|so)(?![\p{L}])/iu, 0],
  [/^(?:mondays?|mon|montage?s?|mo)(?![\p{L}])/iu, 1],
  [/^(?:tuesdays?|tues?|dienstage?s?|di)(?![\p{L}])/iu, 2],
  [/^(?:wednesdays?|wed|mittwochs?|mittwoche|mi)(?![\p{L}])/iu, 3],
  [/^(?:thursdays?|thu(?:rs)?|donnerstage?s?|do)(?![\p{L}])/iu, 4],
  [/^(?:fridays?|fri|freitage?s?|fr)(?![\p{L}])/iu, 5],
  [/^(?:saturdays?|sat|samstage?s?|sonnabende?s?|sa)(?![\p{L}])/iu, 6],
];
const numbers: Readonly<Record<string, number>> = {
  other: 2,
  second: 2,
  two: 2,
  zwei: 2,
  three: 3,
  third: 3,
  drei: 3,
  dritten: 3,
  dritte: 3,
  four: 4,
  fourth: 4,
  vier: 4,
  vierten: 4,
  vierte: 4,
  five: 5,
  fünf: 5,
  six: 6,
  sechs: 6,
  ten: 10,
  zehn: 10,
  twelve: 12,
  zwölf: 12,
};
/** Far too often, and understood so that it can be refused for that. */
const seconds =
  /^(?:seconds?|sekunden?)(?=\s|$)(?!\s+(?:day|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day))/i;
const dayParts: readonly (readonly [RegExp, string])[] = [
  [/^(?:mornings?|morgens?)(?![\p{L}])/iu, '08:00'],
  [/^(?:afternoons?|nachmittage?s?)(?![\p{L}])/iu, '15:00'],
  [/^(?:evenings?|nights?|abende?s?)(?![\p{L}])/iu, '20:00'],
];
const head = /^(?:every|each|jede[nrsm]?|alle)\s+/i;
/** A number with its unit right behind it where it is in figures: `3h`, `2nd`. */
const counted = /^(?:(\d{1,6})(?:(?:st|nd|rd|th)(?!\p{L})|\.)?\s*(?=\p{L})|(\p{L}+)\.?\s+)/iu;
/** Days by names that mean each of them: `Mondays`, `montags`, `on weekends`. */
const eachDay =
  /^(?:(?:on|an)\s+)?(?=(?:(?:sun|mon|tues|wednes|thurs|fri|satur)days|(?:sonn|mon|diens|donners|frei|sams)tags|mittwochs|sonnabends|weekends|wochenenden)(?!\p{L}))/iu;
const cron = /^cron:?\s+["'`]?((?:[\d*/,\-?a-z#L]+\s+){4}[\d*/,\-?a-z#L]+)["'`]?(?:\s+|$)/i;

/** The rule with which a text begins; undefined where it begins with none. */
export function readRule(text: string, frame: ReadFrame): ReadRule | undefined {
  const pattern = cron.exec(text);
  if (pattern !== null)
    return {
      rule: { type: 'cron', pattern: (pattern[1] ?? '').replace(/\s+/g, ' ') },
      rest: text.slice(pattern[0].length),
    };
  const [word = ''] = /^\p{L}+/u.exec(text) ?? [];
  const onlyUnit = single[word.toLowerCase()];
  if (onlyUnit !== undefined) {
    const [unit, times] = typeof onlyUnit === 'string' ? [onlyUnit, 1] : onlyUnit;
    return ruleOf(unit, times, { rest: text.slice(word.length), frame });
  }
  const opening = head.exec(text);
  if (opening === null) {
    const each = eachDay.exec(text);
    if (each !== null) return daysRule(text.slice(each[0].length), 1, frame);
    return workdays.test(text) ? daysRule(text, 1, frame) : undefined;
  }
  let rest = text.slice(opening[0].length);
  let count = 1;
  const daily = dayParts.find(([part]) => part.test(rest));
  if (daily !== undefined) {
    const [part, time] = daily;
    const otherwise = frame.usualTime === undefined ? time : inHalfOf(time, frame.usualTime);
    return ruleOf('day', 1, { rest: rest.replace(part, ''), frame: { ...frame, usualTime: otherwise } });
  }
  const number = seconds.test(rest) ? null : counted.exec(rest);
  const value = number === null ? undefined : numberOf(number[1] ?? number[2] ?? '');
  if (number !== null && value !== undefined) {
    count = value;
    rest = rest.slice(number[0].length);
  }
  const days = daysRule(rest, count, frame);
  if (days !== undefined) return days;
  if (seconds.test(rest)) {
    const { length } = /^\p{L}+/u.exec(rest)?.[0] ?? '';
    return { rule: { type: 'interval', minutes: count / 60 }, rest: rest.slice(length) };
  }
  for (const [name, unit, times = 1] of units) {
    const found = name.exec(rest);
    if (found !== null) return ruleOf(unit, count * times, { rest: rest.slice(found[0].length), frame });
  }
  return undefined;
}

/** A time in that half of the day: eight in the evening is 20:00. */
function inHalfOf(part: string, time: string): string {
  const [hour = 0, minute = ''] = [Number(time.slice(0, 2)), time.slice(2)];
  return part > '12:00' && hour < 12 ? `${hour + 12}${minute}` : time;
}

const numberOf = (word: string): number | undefined =>
  /^\d+$/.test(word) ? Number(word) : numbers[word.toLowerCase().replace(/^zweiten?r?s?$/, 'zwei')];

/** Weekdays by name, in a list or as a group. */
function daysRule(text: string, count: number, frame: ReadFrame): ReadRule | undefined {
  const days: number[] = [];
  let rest = text;
  for (const [group, members] of [
    [workdays, [1, 2, 3, 4, 5]],
    [weekends, [0, 6]],
  ] as const) {
    const found = group.exec(rest);
    if (found === null) continue;
    return weekly([...members], count, { rest: rest.slice(found[0].length), frame });
  }
  for (;;) {
    const named = dayNames.find(([name]) => name.test(rest));
    if (named === undefined) break;
    days.push(named[1]);
    rest = rest.replace(named[0], '');
    const next = /^\s*(?:,|and|und|&)\s*(?:and\s+|und\s+|jede[nrs]?\s+|every\s+)?/i.exec(rest);
    if (next === null || !dayNames.some(([name]) => name.test(rest.slice(next[0].length)))) break;
    rest = rest.slice(next[0].length);
  }
  return days.length === 0 ? undefined : weekly(days, count, { rest, frame });
}

function weekly(
  days: number[],
  count: number,
  { rest, frame }: { rest: string; frame: ReadFrame },
): ReadRule {
  const { time, rest: after } = withTime(rest, frame);
  const today = wallAt(frame.now, frame.zone);
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  const start = today.add({ days: Math.min(...sorted.map((day) => (day - (today.dayOfWeek % 7) + 7) % 7)) });
  return {
    rule: { type: 'calendar', unit: 'week', count, days: sorted, time, start: dateOf(start) },
    rest: after,
  };
}

function ruleOf(unit: Unit, count: number, { rest, frame }: { rest: string; frame: ReadFrame }): ReadRule {
  const trimmed = rest.trimStart();
  const today = wallAt(frame.now, frame.zone);
  switch (unit) {
    case 'minute':
      return { rule: { type: 'interval', minutes: count }, rest: trimmed };
    case 'hour':
      return { rule: { type: 'interval', minutes: count * 60 }, rest: trimmed };
    case 'week': {
      const on = /^(?:on|am|from|von)\s+/i.exec(trimmed)?.[0] ?? '';
      const named = daysRule(trimmed.slice(on.length), count, frame);
      return named ?? weekly([today.dayOfWeek % 7], count, { rest: trimmed, frame });
    }
    case 'day': {
      const { time, rest: after } = withTime(trimmed, frame);
      return { rule: { type: 'calendar', unit, count, time, start: dateOf(today) }, rest: after };
    }
    case 'month': {
      const named = weekdaysOfMonth(trimmed);
      if (named !== undefined) {
        const { weeks, days } = named;
        const { time, rest: after } = withTime(named.rest, frame);
        return {
          rule: { type: 'calendar', unit, count, days, weeks, time, start: dateOf(today) },
          rest: after,
        };
      }
      const { dates, rest: behind } = datesOfMonth(trimmed);
      const [day = today.day] = dates;
      const { time, rest: after } = withTime(behind, frame);
      const on = dates.length > 1 ? { dates } : { day };
      return { rule: { type: 'calendar', unit, count, ...on, time, start: dateOf(today) }, rest: after };
    }
    case 'year': {
      const { day = today.day, month = today.month, rest: behind } = readDay(trimmed) ?? { rest: trimmed };
      const { time, rest: after } = withTime(behind, frame);
      const start = dateOf(today.with({ month, day }));
      return { rule: { type: 'calendar', unit, count, day, month, time, start }, rest: after };
    }
  }
}

/** `on the first and third Monday`, `am letzten Freitag`. */
function weekdaysOfMonth(
  text: string,
): { weeks: (number | 'last')[]; days: number[]; rest: string } | undefined {
  const opening = /^(?:on\s+(?:the\s+)?|am\s+)/i.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const weeks: (number | 'last')[] = [];
  let rest = text.slice(opening.length);
  for (;;) {
    const [found = '', word = ''] = weekOrdinal.exec(rest) ?? [];
    const week = weekNumbers.findIndex((name) => name.test(word));
    if (week < 0) break;
    weeks.push(week === 0 ? 'last' : week);
    rest = rest.slice(found.length).replace(/^(?:,|and|und|&)\s*(?:(?:and|und|the|am)\s+)*/i, '');
  }
  const named = dayNames.find(([name]) => name.test(rest));
  if (named === undefined || weeks.length === 0) return undefined;
  return { weeks, days: [named[1]], rest: rest.replace(named[0], '') };
}

const weekOrdinal = /^(\d(?:st|nd|rd|th|\.)|\p{L}+)\s*/iu;
/** By their place: the last, the first, and so on. */
const weekNumbers = [
  /^(?:last|letzte[nrsm]?)$/i,
  /^(?:first|1st|1\.|erste[nrsm]?)$/i,
  /^(?:second|2nd|2\.|zweite[nrsm]?)$/i,
  /^(?:third|3rd|3\.|dritte[nrsm]?)$/i,
  /^(?:fourth|4th|4\.|vierte[nrsm]?)$/i,
  /^(?:fifth|5th|5\.|fünfte[nrsm]?)$/i,
];

/** `on the 1st and 15th`, `am letzten Tag`, with `last` behind the numbers; none where no day is named. */
function datesOfMonth(text: string): { dates: (number | 'last')[]; rest: string } {
  const opening = /^(?:on\s+(?:the\s+|days?\s+)?|am\s+)/i.exec(text)?.[0] ?? '';
  const dates = new Set<number | 'last'>();
  let rest = text;
  for (let next = text.slice(opening.length); ; ) {
    const found = (dates.size === 0 ? firstDate(opening) : moreDates).exec(next);
    if (found === null) break;
    const [whole, figures, first] = found;
    const date = figures === undefined ? (first === undefined ? 'last' : 1) : Number(figures);
    if (date !== 'last' && (date < 1 || date > 31))
      throw scheduleError({ code: 'unknown_time', why: 'unreadable' });
    dates.add(date);
    rest = next.slice(whole.length);
    const and = /^\s*(?:,|and\b|und\b|&)\s*(?:(?:and|und|on|am|the)\s+)*/i.exec(rest)?.[0];
    if (and === undefined) break;
    next = rest.slice(and.length);
  }
  const order = (date: number | 'last'): number => (date === 'last' ? 32 : date);
  return { dates: [...dates].sort((one, other) => order(one) - order(other)), rest };
}

const lastDate = String.raw`(?:last|letzten)(?:\s+(?:day|tag))?(?:\s+of\s+the\s+month|\s+des\s+monats)?(?!\p{L})`;
const dateEnd = String.raw`(?:\s+days?(?!\p{L}))?(?!\d|:)`;
/** Without words before it only the last day is one; further days have to be ordinals, as numbers begin what is to be done. */
const firstDate = (opening: string): RegExp =>
  opening === ''
    ? new RegExp(`^${lastDate}`, 'iu')
    : new RegExp(
        String.raw`^(?:(\d{1,2})(?:st|nd|rd|th|\.)?${dateEnd}|(first|ersten)(?:\s+(?:day|tag))?(?!\p{L})|${lastDate})`,
        'iu',
      );
const moreDates = new RegExp(
  String.raw`^(?:(\d{1,2})(?:st|nd|rd|th|\.)${dateEnd}|(first|ersten)(?:\s+(?:day|tag))?(?!\p{L})|${lastDate})`,
  'iu',
);

function withTime(
  text: string,
  { now, zone, usualTime: otherwise = nine }: ReadFrame,
): { time: string; rest: string } {
  const trimmed = text.trimStart();
  // a day behind the time is the end of the rule, where the library would read a span
  const [, clock = '', end = ''] =
    /^(.*?)\s+(?:until|till|til|bis(?:\s+zum)?)\s+(.*)$/isu.exec(trimmed) ?? [];
  const before = readEnd(end, { now, zone })?.hasDay === true ? clock : trimmed;
  const found = readClock(before, { now, zone });
  if (found === undefined) return { time: otherwise, rest: trimmed };
  return { time: found.time, rest: `${found.rest}${trimmed.slice(before.length)}` };
}

const dateOf = (wall: Temporal.PlainDateTime): string => wall.toPlainDate().toString();
