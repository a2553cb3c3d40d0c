// A schedule's time as a sentence for people, in its zone. Pure.
import type { Recurrence } from './schedule.ts';

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `Tuesday, 1 December 2026 at 09:00 (Europe/Berlin)`. */
export function describeMoment(ms: number, zone: string | null): string {
  const timeZone = zone ?? 'UTC';
  const day = new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  }).format(ms);
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(ms);
  return `${withComma(day)} at ${time} (${timeZone})`;
}

/** Some versions of the system's data leave out the comma after the weekday. */
const withComma = (day: string): string => day.replace(/^(\p{L}+),? /u, '$1, ');

/** `every Monday and Thursday at 09:00 (Europe/Berlin)`. */
export function describeRule(rule: Recurrence, zone: string): string {
  switch (rule.type) {
    case 'interval':
      return everyMinutes(rule.minutes);
    case 'cron':
      return `by the cron pattern "${rule.pattern}" (${zone})`;
    case 'calendar': {
      const { unit, count, day, month, days = [], time } = rule;
      return `${calendarWords({ unit, count, day, month, days })} at ${time} (${zone})`;
    }
  }
}

function everyMinutes(minutes: number): string {
  const [n, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return n === 1 ? `every ${unit}` : `every ${n} ${unit}s`;
}

function calendarWords({
  unit,
  count,
  day,
  month,
  days,
}: Pick<Extract<Recurrence, { type: 'calendar' }>, 'unit' | 'count' | 'day' | 'month'> & {
  days: readonly number[];
}): string {
  const every = count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
  switch (unit) {
    case 'day':
      return every;
    case 'week': {
      if (days.join() === '1,2,3,4,5')
        return count === 1 ? 'Monday to Friday' : `${every} from Monday to Friday`;
      const names = new Intl.ListFormat('en-GB').format(days.map((each) => dayNames[each] ?? ''));
      return count === 1 ? `every ${names}` : `${every} on ${names}`;
    }
    case 'month': {
      if (day === 'last') return `${every} on the last day`;
      return `${every} on day ${day}${shorter(day ?? 1)}`;
    }
    case 'year': {
      const leap = day === 29 && month === 2 ? ' (on 28 February where there is no 29th)' : '';
      return `${every} on ${day} ${monthNames[(month ?? 1) - 1]}${leap}`;
    }
  }
}

const shorter = (day: number): string => (day > 28 ? ' (on the last day of a shorter month)' : '');
