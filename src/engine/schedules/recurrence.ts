// When something that recurs comes next. Pure: the same rule, zone and time give the same answer.
import { type CronSchedule, cronSchedule } from '#base/cron.ts';
import type { Recurrence } from '#engine/wire/schedules/schedule.ts';
import { scheduleError } from '#engine/wire/schedules/schedule-problem.ts';
import { momentOfWall, type Temporal, wallAt, wallOf } from './zones.ts';

type Calendar = Extract<Recurrence, { type: 'calendar' }>;

/** Where a rule is applied: its zone, and the moment from which intervals are counted. */
interface RecurrenceFrame {
  zone: string;
  /** Milliseconds since the epoch. */
  anchorMs: number;
}

/**
 * The first firing after a moment, in milliseconds since the epoch; undefined for a rule that never comes again. A time that clocks skip
 * comes as soon as they have, and one that they repeat comes once.
 */
export function nextAfter(rule: Recurrence, after: number, frame: RecurrenceFrame): number | undefined {
  const next = endlessNext(rule, after, frame);
  return next === undefined || next > (rule.until ?? Number.POSITIVE_INFINITY) ? undefined : next;
}

function endlessNext(
  rule: Recurrence,
  after: number,
  { zone, anchorMs }: RecurrenceFrame,
): number | undefined {
  switch (rule.type) {
    case 'interval': {
      const ms = rule.minutes * 60_000;
      return anchorMs + Math.max(1, Math.floor((after - anchorMs) / ms) + 1) * ms;
    }
    case 'cron':
      return nextOf([rule.pattern], after, zone);
    case 'calendar':
      return rule.count === 1 ? nextOf(patternsOf(rule), after, zone) : nextStep(rule, after, zone);
  }
}

/** The next `count` firings after a moment. */
export function timesAfter(
  rule: Recurrence,
  after: number,
  frame: RecurrenceFrame & { count: number },
): number[] {
  const times: number[] = [];
  for (let at = after; times.length < frame.count; ) {
    const next = nextAfter(rule, at, frame);
    if (next === undefined) break;
    times.push(next);
    at = next;
  }
  return times;
}

/** The shortest time between two of the next firings, in milliseconds; endless for a rule that comes at most once more. */
export function shortestGap(rule: Recurrence, after: number, frame: RecurrenceFrame): number {
  if (rule.type === 'interval') return rule.minutes * 60_000;
  const times = timesAfter(rule, after, { ...frame, count: 50 });
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  return Math.min(Number.POSITIVE_INFINITY, ...gaps);
}

function nextOf(patterns: readonly string[], after: number, zone: string): number | undefined {
  const found = patterns.flatMap((pattern) => cronOf(pattern, zone).next(after) ?? []);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** A ParleyError `unknown_time` for a pattern that is none. */
function cronOf(pattern: string, zone: string): CronSchedule {
  try {
    return cronSchedule(pattern, zone);
  } catch (cause) {
    throw scheduleError({ code: 'unknown_time', why: 'pattern', pattern }, { cause });
  }
}

/** Day 29, 30 and 31 of a month is its last day where the month is shorter: a second pattern for those months. */
function patternsOf({ unit, days = [], weeks, day, dates, month, time }: Calendar): string[] {
  const [hour, minute] = time.split(':').map(Number);
  const at = `${minute} ${hour}`;
  if (unit === 'day') return [`${at} * * *`];
  if (unit === 'week') return [`${at} * * ${days.join(',')}`];
  if (weeks !== undefined)
    return weeks.flatMap((week) => days.map((each) => `${at} * * ${each}#${week === 'last' ? 'L' : week}`));
  const months =
    unit === 'year' && month !== undefined ? [month] : Array.from({ length: 12 }, (_, n) => n + 1);
  return (dates ?? [day ?? 1]).flatMap((date) => {
    if (date === 'last') return [`${at} L ${months.join(',')} *`];
    const shorter = months.filter(
      (each) => (each === 2 ? 28 : [4, 6, 9, 11].includes(each) ? 30 : 31) < date,
    );
    const longer = months.filter((each) => !shorter.includes(each));
    return [
      ...(longer.length === 0 ? [] : [`${at} ${date} ${longer.join(',')} *`]),
      ...(shorter.length === 0 ? [] : [`${at} L ${shorter.join(',')} *`]),
    ];
  });
}

/** Every so many days, weeks, months or years from the first one; months count from its day, which a shorter one ends before. */
function nextStep(rule: Calendar, after: number, zone: string): number | undefined {
  const first = wallOf(rule.start, rule.time);
  const unit = `${rule.unit}s` as const;
  const passed = Math.max(
    0,
    Math.floor(first.until(wallAt(after, zone), { largestUnit: unit })[unit] / rule.count),
  );
  for (let step = passed; step <= passed + 2; step += 1) {
    const at = first.add({ [unit]: step * rule.count });
    const found = daysOf(rule, at)
      .map((wall) => momentOfWall(wall, zone))
      .filter((ms) => ms > after)
      .sort((a, b) => a - b)[0];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The wall times of one step: of a week that names days, each of them. */
function daysOf(
  { unit, days = [], weeks, day, dates = day === undefined ? [] : [day] }: Calendar,
  at: Temporal.PlainDateTime,
): Temporal.PlainDateTime[] {
  if (weeks !== undefined) return days.flatMap((each) => weeks.flatMap((week) => weekdayOf(at, each, week)));
  if (unit === 'month' && dates.length > 0)
    return dates.map((date) =>
      at.with({ day: date === 'last' ? at.daysInMonth : Math.min(date, at.daysInMonth) }),
    );
  if (unit !== 'week' || days.length === 0) return [at];
  // the steps begin on the first of these days
  return days.map((weekday) => at.add({ days: (weekday - (at.dayOfWeek % 7) + 7) % 7 }));
}

/** Such a weekday of the month; none where it has no fifth. */
function weekdayOf(
  month: Temporal.PlainDateTime,
  weekday: number,
  week: number | 'last',
): Temporal.PlainDateTime[] {
  const first = month.with({ day: 1 });
  const day = 1 + ((weekday - (first.dayOfWeek % 7) + 7) % 7);
  const weeks = week === 'last' ? Math.floor((month.daysInMonth - day) / 7) : week - 1;
  const at = day + weeks * 7;
  return at > month.daysInMonth ? [] : [month.with({ day: at })];
}
