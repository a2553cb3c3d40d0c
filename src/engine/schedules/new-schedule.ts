// A schedule as a person asks for it: when and what, read from words and refused where it cannot be.
import { type NewSchedule, newSchedule } from '#engine/wire/schedules/schedule.ts';
import { scheduleError } from '#engine/wire/schedules/schedule-problem.ts';
import { readWhen } from './read-when.ts';
import { shortestGap } from './recurrence.ts';
import type { ScheduleRows, StoredSchedule } from './schedule-rows.ts';
import { zoneNamed } from './zones.ts';

export interface ScheduleLimits {
  /** Schedules of one person that are active, and as many that are proposed. */
  schedulesPerPerson: number;
  /** Shortest time between two firings of one schedule, in milliseconds. */
  scheduleGapMs: number;
}

/** A year further than most appointments: beyond that it is a slip. */
const maxAheadMs = 11 * 366 * 24 * 3_600_000;

/** The new schedule, not stored yet; throws as `scheduleError` what is missing or wrong in it. */
export function readSchedule(
  input: NewSchedule,
  {
    id,
    now,
    rows,
    limits,
    mask,
    otherwise,
  }: {
    id: string;
    now: number;
    rows: Pick<ScheduleRows, 'timesOf'>;
    limits: ScheduleLimits;
    mask: (text: string) => string;
    /** The zone of those whose own is not known. */
    otherwise: string;
  },
): StoredSchedule {
  const { when, text, kind = 'text', person, chat, zone, confirmed = true } = newSchedule.parse(input);
  const its = zone === undefined ? (rows.timesOf([person]).zone ?? otherwise) : zoneNamed(zone);
  const read = readWhen(when, { now, zone: its });
  if (text !== undefined && read.rest !== '')
    throw scheduleError({ code: 'unknown_time', why: 'more text', rest: read.rest.slice(0, 80) });
  const task = text ?? read.rest;
  if (task === '') throw scheduleError({ code: 'text_needed' });
  refuseTimes(read, { now, zone: its, limits });
  return {
    id,
    state: confirmed ? 'active' : 'proposed',
    kind,
    text: mask(task),
    person,
    chat,
    zone: its,
    ...(read.rule === undefined ? {} : { recurrence: read.rule }),
    anchorMs: now,
    next_at_ms: read.at,
    words: read.words,
    created_at_ms: now,
    fired_at_ms: null,
  };
}

/** Refuses what is over, too far away or too often. */
function refuseTimes(
  { rule, at }: ReturnType<typeof readWhen>,
  { now, zone, limits }: { now: number; zone: string; limits: ScheduleLimits },
): void {
  if (at <= now) throw scheduleError({ code: 'time_in_the_past', at, zone });
  if (at - now > maxAheadMs) throw scheduleError({ code: 'unknown_time', why: 'too far', at, zone });
  if (rule === undefined) return;
  const gap = shortestGap(rule, now, { zone, anchorMs: now });
  const minutes = Math.ceil(limits.scheduleGapMs / 60_000);
  if (gap < limits.scheduleGapMs) throw scheduleError({ code: 'too_often', minutes, rule, zone });
}
