// Schedules: made from words, confirmed, listed, removed; what is due becomes a firing, which a gateway claims and settles.

import { type Clock, momentIn, msUntil } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import { createWaker, isAbort, type Waker } from '#base/waiting/async.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import {
  type FiringOutcome,
  newSchedule,
  type Schedule,
  type ScheduleService,
} from '#engine/wire/schedule.ts';
import { scheduleError } from '#engine/wire/schedule-problem.ts';
import type { FiringRows } from './firing-rows.ts';
import type { HookRows } from './hook-rows.ts';
import { releaseAt } from './quiet.ts';
import { readWhen } from './read-when.ts';
import { nextAfter, shortestGap, timesAfter } from './recurrence.ts';
import type { ScheduleRows, StoredSchedule } from './schedule-rows.ts';
import { createTimer } from './timer.ts';
import { zoneNamed } from './zones.ts';

export interface ScheduleLimits {
  /** Schedules of one person that are proposed or active. */
  schedulesPerPerson: number;
  /** Shortest time between two firings of one schedule, in milliseconds. */
  scheduleGapMs: number;
}

export interface Schedules extends ScheduleService {
  /** Makes due what became so while no process ran, and everything later at its time. */
  start(): void;
  /** Something was made due, and is to be taken. */
  nudge(): void;
  close(): void;
}

export interface SchedulesOptions {
  rows: ScheduleRows;
  firings: FiringRows;
  hooks: Pick<HookRows, 'stop'>;
  events: Pick<EventLog, 'commit'>;
  /** Read at each use: they may change. */
  limits: ScheduleLimits;
  mask: (text: string) => string;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** What shows that a schedule cannot be sent any more. */
const stopping: ReadonlySet<FiringOutcome['status']> = new Set(['refused', 'failed']);
/** Firings that a gateway is given at once. */
const maxAtOnce = 100;
/** A year further than most appointments: beyond that it is a slip. */
const maxAheadMs = 11 * 366 * 24 * 3_600_000;

/** Over the tables of one engine; nothing is due before `start`. */
export function createSchedules(options: SchedulesOptions): Schedules {
  const { rows, firings, hooks, events, limits, mask, clock, newId } = options;
  const waiting = new Set<Waker>();
  const wake = (): void => {
    for (const waker of waiting) waker.wake();
  };
  const timer = createTimer({ ...options, released: wake });

  const shown = ({ anchorMs: _, ...row }: StoredSchedule): Schedule => {
    const { next_at_ms: at, person } = row;
    return { ...row, next_release_at_ms: at === null ? null : releaseAt(at, rows.timesOf([person])) };
  };
  const foundOf = (id: string, persons: readonly string[] | undefined): StoredSchedule => {
    const found = rows.get(id);
    if (found !== undefined && persons?.includes(found.person) !== false) return found;
    throw scheduleError({ code: 'schedule_not_found' });
  };

  return {
    start: timer.start,
    nudge: timer.look,
    close: timer.close,
    async createSchedule(input, { idempotencyKey } = {}) {
      const known = idempotencyKey === undefined ? undefined : rows.byKey(idempotencyKey);
      if (known !== undefined) return shown(known);
      const { when, text, kind, person, chat, zone, confirmed } = newSchedule.parse(input);
      const now = clock.now();
      const its = zone === undefined ? rows.timesOf([person]).zone : zoneNamed(zone);
      const read = readWhen(when, { now, zone: its ?? 'UTC' });
      if (its === null && read.needsZone) throw scheduleError({ code: 'zone_needed' });
      if (text !== undefined && read.rest !== '')
        throw scheduleError({ code: 'unknown_time', why: 'more text', rest: read.rest.slice(0, 80) });
      const said = text ?? read.rest;
      if (said === '') throw scheduleError({ code: 'text_needed' });
      refuseTimes(read, { now, zone: its, limits });
      const made: StoredSchedule = {
        id: newId('sch'),
        state: confirmed ? 'active' : 'proposed',
        kind,
        text: mask(said),
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
      events.commit(() => {
        const { schedulesPerPerson: limit } = limits;
        if (rows.countOpen(person) >= limit) throw scheduleError({ code: 'too_many_schedules', limit });
        rows.insert(made, idempotencyKey);
      });
      timer.look();
      return shown(made);
    },
    async confirmSchedule(id, { persons } = {}) {
      const confirmed = events.commit(() => {
        const found = foundOf(id, persons);
        if (found.state !== 'proposed') return found;
        const { recurrence, zone, anchorMs, next_at_ms: at } = found;
        const now = clock.now();
        const next =
          recurrence === undefined || (at ?? 0) > now
            ? at
            : nextAfter(recurrence, now, { zone: zone ?? 'UTC', anchorMs });
        if (next === null || next === undefined || next <= now)
          throw scheduleError({ code: 'time_in_the_past', at: at ?? now, zone });
        rows.activate(id, next);
        return rows.get(id) ?? found;
      });
      timer.look();
      return shown(confirmed);
    },
    listSchedules: async (filter) => rows.list(filter).map(shown),
    async nextTimes(id, count) {
      const { state, recurrence, zone, anchorMs, next_at_ms: at } = foundOf(id, undefined);
      if (at === null || state === 'stopped') return [];
      if (recurrence === undefined) return [at];
      return timesAfter(recurrence, at - 1, { zone: zone ?? 'UTC', anchorMs, count });
    },
    async deleteSchedule(id, { persons } = {}) {
      return events.commit(() => {
        const found = foundOf(id, persons);
        rows.remove(id);
        firings.drop('schedule', id);
        return shown(found);
      });
    },
    personTimes: async (persons) => rows.timesOf(persons),
    async setPersonTimes(persons, change) {
      const zone = change.zone == null ? change.zone : zoneNamed(change.zone);
      const named = zone === undefined ? change : { ...change, zone };
      events.commit(() => {
        for (const person of persons) rows.setTimes(person, named);
      });
      return rows.timesOf(persons);
    },
    async takeFirings({ gateway, platforms, wait_ms = 0 }, signal) {
      const end = momentIn(clock, wait_ms);
      const waker = createWaker();
      waiting.add(waker);
      try {
        for (;;) {
          const taken = events.commit(() =>
            firings.take({ gateway, platforms, now: clock.now(), limit: maxAtOnce }),
          );
          const left = msUntil(clock, end);
          if (taken.length > 0 || left <= 0) return taken;
          await waker.wait(clock, left, signal);
        }
      } catch (error) {
        if (signal !== undefined && isAbort(error, signal)) return [];
        throw error;
      } finally {
        waiting.delete(waker);
      }
    },
    async settleFiring(id, outcome) {
      events.commit(() => {
        if (outcome.status === 'accepted') return firings.accept(id);
        const settled = firings.settle(id, outcome, clock.now());
        if (settled === undefined || !stopping.has(outcome.status)) return;
        const reason = outcome.reason ?? 'it could not be sent';
        if (settled.source === 'hook') return hooks.stop(settled.source_id, reason);
        const of = rows.get(settled.source_id);
        if (of !== undefined) rows.stop(of.id, reason);
      });
      timer.look();
    },
  };
}

/** Refuses what is over, too far away or too often. */
function refuseTimes(
  { rule, at }: ReturnType<typeof readWhen>,
  { now, zone, limits }: { now: number; zone: string | null; limits: ScheduleLimits },
): void {
  if (at <= now) throw scheduleError({ code: 'time_in_the_past', at, zone });
  if (at - now > maxAheadMs) throw scheduleError({ code: 'unknown_time', why: 'too far', at, zone });
  if (rule === undefined) return;
  const gap = shortestGap(rule, now, { zone: zone ?? 'UTC', anchorMs: now });
  const minutes = Math.ceil(limits.scheduleGapMs / 60_000);
  if (gap < limits.scheduleGapMs) throw scheduleError({ code: 'too_often', minutes, rule, zone });
}
