// A schedule's time as words for people, in its zone, in English and German. Pure.
import type { Recurrence } from './schedule.ts';

type Calendar = Extract<Recurrence, { type: 'calendar' }>;

/** How a language says when something comes. */
interface ScheduleWords {
  /** `Tuesday, 1 December 2026 at 09:00 (Europe/Berlin)`; in UTC where no zone is known. */
  moment(ms: number, zone: string | null): string;
  /** `every Monday and Thursday at 09:00 (Europe/Berlin)`. */
  rule(rule: Recurrence, zone: string | null): string;
}

interface Grammar {
  locale: string;
  at(day: string, time: string): string;
  everySeconds(n: number): string;
  everyMinutes(n: number): string;
  everyHours(n: number): string;
  cron(pattern: string): string;
  until: string;
  every(unit: Calendar['unit'], count: number): string;
  workdays(count: number): string;
  onWeekdays(names: string, count: number): string;
  /** The days of a month, each as `date` has it. */
  onDates(dates: string, isShort: boolean): string;
  /** A day of a month: the first of so many, or with 0 one behind it. */
  date(day: number, of: number): string;
  lastDate: string;
  onWeekdaysOfMonth(weeks: string, names: string): string;
  weeks: Readonly<Record<string, string>>;
  dayOfYear(day: number, month: string): string;
}

/** 4 January 1970 was a Sunday. */
const dayMs = 86_400_000;
const sunday = 3 * dayMs;

const grammars: Readonly<Record<'en' | 'de', Grammar>> = {
  en: {
    locale: 'en-GB',
    at: (day, time) => `${day} at ${time}`,
    everySeconds: (n) => (n === 1 ? 'every second' : `every ${n} seconds`),
    everyMinutes: (n) => (n === 1 ? 'every minute' : `every ${n} minutes`),
    everyHours: (n) => (n === 1 ? 'every hour' : `every ${n} hours`),
    until: 'until',
    cron: (pattern) => `by the cron pattern "${pattern}"`,
    every: (unit, n) => (n === 1 ? `every ${unit}` : `every ${n} ${unit}s`),
    workdays: (n) => (n === 1 ? 'Monday to Friday' : `every ${n} weeks from Monday to Friday`),
    onWeekdays: (names, n) => (n === 1 ? `every ${names}` : `every ${n} weeks on ${names}`),
    onDates: (dates, isShort) => `on ${dates}${isShort ? ' (on the last day of a shorter month)' : ''}`,
    date: (day, of) => [`${day}`, `day ${day}`][of] ?? `days ${day}`,
    lastDate: 'the last day',
    onWeekdaysOfMonth: (weeks, names) => `on the ${weeks} ${names}`,
    weeks: { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth', last: 'last' },
    dayOfYear: (day, month) =>
      `on ${day} ${month}${day === 29 && month === 'February' ? ' (on the 28th where there is no 29th)' : ''}`,
  },
  de: {
    locale: 'de-DE',
    at: (day, time) => `${day} um ${time} Uhr`,
    everySeconds: (n) => (n === 1 ? 'jede Sekunde' : `alle ${n} Sekunden`),
    everyMinutes: (n) => (n === 1 ? 'jede Minute' : `alle ${n} Minuten`),
    everyHours: (n) => (n === 1 ? 'jede Stunde' : `alle ${n} Stunden`),
    until: 'bis',
    cron: (pattern) => `nach dem Cron-Muster „${pattern}“`,
    every: (unit, n) => (n === 1 ? `${germanEvery[unit]}` : `alle ${n} ${germanUnits[unit]}`),
    workdays: (n) => (n === 1 ? 'Montag bis Freitag' : `alle ${n} Wochen von Montag bis Freitag`),
    onWeekdays: (names, n) => (n === 1 ? `jeden ${names}` : `alle ${n} Wochen am ${names}`),
    onDates: (dates, isShort) => `am ${dates}${isShort ? ' (in kürzeren Monaten am letzten Tag)' : ''}`,
    date: (day) => `${day}.`,
    lastDate: 'letzten Tag',
    onWeekdaysOfMonth: (weeks, names) => `am ${weeks} ${names}`,
    weeks: { 1: 'ersten', 2: 'zweiten', 3: 'dritten', 4: 'vierten', 5: 'fünften', last: 'letzten' },
    dayOfYear: (day, month) =>
      `am ${day}. ${month}${day === 29 && month === 'Februar' ? ' (sonst am 28.)' : ''}`,
  },
};
const germanEvery = { day: 'jeden Tag', week: 'jede Woche', month: 'jeden Monat', year: 'jedes Jahr' };
const germanUnits = { day: 'Tage', week: 'Wochen', month: 'Monate', year: 'Jahre' };

/** The words of a language. */
export function scheduleWords(language: 'en' | 'de'): ScheduleWords {
  const grammar = grammars[language];
  const { locale } = grammar;
  const wall = (ms: number, timeZone: string): string => {
    const date = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone } as const;
    const day = new Intl.DateTimeFormat(locale, date).format(ms);
    const hour = { hour: '2-digit', minute: '2-digit', timeZone } as const;
    return grammar.at(withComma(day), new Intl.DateTimeFormat(locale, hour).format(ms));
  };
  const bare = (rule: Recurrence): string => {
    switch (rule.type) {
      case 'interval':
        return intervalWords(rule.minutes, grammar);
      case 'cron':
        return grammar.cron(rule.pattern);
      case 'calendar':
        return grammar.at(calendarWords(rule, grammar), rule.time);
    }
  };
  return {
    moment: (ms, zone) => `${wall(ms, zone ?? 'UTC')} (${zone ?? 'UTC'})`,
    rule(rule, zone) {
      const { type, until } = rule;
      if (type === 'interval' && until === undefined) return bare(rule);
      const end = until === undefined ? '' : ` ${grammar.until} ${wall(until, zone ?? 'UTC')}`;
      return `${bare(rule)}${end} (${zone ?? 'UTC'})`;
    },
  };
}

function intervalWords(minutes: number, grammar: Grammar): string {
  if (minutes < 1) return grammar.everySeconds(Math.round(minutes * 60));
  return minutes % 60 === 0 ? grammar.everyHours(minutes / 60) : grammar.everyMinutes(minutes);
}

/** Some versions of the system's data leave out the comma after the weekday. */
const withComma = (day: string): string => day.replace(/^(\p{L}+),? /u, '$1, ');

function calendarWords(
  { unit, count, day, dates = [day ?? 1], month = 1, days = [], weeks }: Calendar,
  grammar: Grammar,
): string {
  const { locale } = grammar;
  const every = grammar.every(unit, count);
  const list = (words: readonly string[]): string => new Intl.ListFormat(locale).format(words);
  const named = (): string => {
    const name = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
    return list(days.map((each) => name.format(sunday + each * dayMs)));
  };
  switch (unit) {
    case 'day':
      return every;
    case 'week': {
      if (days.join() === '1,2,3,4,5') return grammar.workdays(count);
      return grammar.onWeekdays(named(), count);
    }
    case 'month':
      if (weeks !== undefined)
        return `${every} ${grammar.onWeekdaysOfMonth(list(weeks.map((week) => grammar.weeks[week] ?? '')), named())}`;
      return `${every} ${datesWords(dates, grammar, list)}`;
    case 'year': {
      const name = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
      const date = typeof day === 'number' ? day : 1;
      return `${every} ${grammar.dayOfYear(date, name.format(Date.UTC(2028, month - 1, 1)))}`;
    }
  }
}

/** `on days 1 and 15`, `am 1. und am letzten Tag`. */
function datesWords(
  dates: readonly (number | 'last')[],
  grammar: Grammar,
  list: (words: readonly string[]) => string,
): string {
  const numbers = dates.filter((date) => date !== 'last');
  const [first, ...more] = numbers;
  const named = [
    ...(first === undefined ? [] : [grammar.date(first, numbers.length)]),
    ...more.map((day) => grammar.date(day, 0)),
    ...(numbers.length < dates.length ? [grammar.lastDate] : []),
  ];
  return grammar.onDates(
    list(named),
    numbers.some((day) => day > 28),
  );
}
