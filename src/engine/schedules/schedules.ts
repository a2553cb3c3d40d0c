// Schedules: made from words, confirmed, listed, removed; what is due becomes a firing, which a gateway claims and settles.
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import { defined } from '#base/json.ts';
import type { Log } from '#base/log/log.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { PlaceNameTable } from '#engine/sessions/place-names.ts';
import type { PersonTimes, Schedule } from '#engine/wire/schedules/schedule.ts';
import type { ScheduleService } from '#engine/wire/schedules/schedule-operations.ts';
import { scheduleError } from '#engine/wire/schedules/schedule-problem.ts';
import { createFiringQueue, type FiringQueue } from './firing-queue.ts';
import type { FiringRows } from './firing-rows.ts';
import type { HookRows } from './hook-rows.ts';
import type { ScheduleLimits } from './new-schedule.ts';
import { releaseAt } from './quiet.ts';
import { nextAfter, timesAfter } from './recurrence.ts';
import type { ScheduleRows, StoredSchedule } from './schedule-rows.ts';
import { createTimer } from './timer.ts';
import { zoneNamed } from './zones.ts';

/** Reading times takes a library that a start without schedules does not load. */
const reader = async () => (await import('./new-schedule.ts')).readSchedule;

interface Schedules extends ScheduleService {
  /** Makes due what became so while no process ran, and everything later at its time. */
  start(): void;
  /** Something was made due, and is to be taken. */
  nudge(): void;
  outcome: FiringQueue['outcome'];
  close(): void;
}

interface SchedulesOptions {
  rows: ScheduleRows;
  firings: FiringRows;
  hooks: Pick<HookRows, 'stop'>;
  events: Pick<EventLog, 'commit'>;
  /** Read at each use: they may change. */
  limits: ScheduleLimits;
  mask: (text: string) => string;
  /** The zone of those whose own is not known; UTC when undefined. */
  zone: () => string | undefined;
  /** What the platform calls the places of a chat. */
  namesOf: PlaceNameTable['of'];
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** Over the tables of one engine; nothing is due before `start`. */
export function createSchedules(options: SchedulesOptions): Schedules {
  const { rows, firings, events, limits, mask, zone: usualZone, namesOf, clock, newId } = options;
  const queue = createFiringQueue(options);
  const { timesOf, heldBy } = personTimesIn(rows, usualZone);
  const timer = createTimer({ ...options, timesOf, released: queue.wake });

  const shown = ({ anchorMs: _, ...row }: StoredSchedule): Schedule => {
    const { next_at_ms: at, person, chat } = row;
    const names = defined({ names: namesOf(chat) });
    return {
      ...row,
      ...names,
      next_release_at_ms: at === null ? null : releaseAt(at, timesOf(person)),
    };
  };
  const foundOf = (id: string, persons: readonly string[] | undefined): StoredSchedule => {
    const found = rows.get(id);
    if (found !== undefined && persons?.includes(found.person) !== false) return found;
    throw scheduleError({ code: 'schedule_not_found' });
  };
  const refuseMore = (person: string): void => {
    const { schedulesPerPerson: limit } = limits;
    if (rows.countActiveOf(person) >= limit) throw scheduleError({ code: 'too_many_schedules', limit });
  };
  const how = () => ({ rows, limits, mask, otherwise: usualZone() ?? 'UTC' });

  return {
    start: timer.start,
    nudge: timer.look,
    outcome: queue.outcome,
    close: timer.close,
    async createSchedule(input, { idempotencyKey } = {}) {
      const readSchedule = await reader();
      const known = idempotencyKey === undefined ? undefined : rows.byKey(idempotencyKey);
      if (known !== undefined) return shown(known);
      const made = readSchedule(input, { id: newId('sch'), now: clock.now(), ...how() });
      events.commit(() => {
        refuseMore(made.person);
        // what nobody confirmed makes room for what is proposed now
        if (made.state === 'proposed') rows.keepProposed(made.person, limits.schedulesPerPerson - 1);
        rows.insert(made, idempotencyKey);
      });
      timer.look();
      return shown(made);
    },
    async changeSchedule({ id, when, zone, ...what }) {
      if (zone !== undefined && when === undefined)
        throw new ParleyError('invalid_request', 'Expected `when` with `zone`: a zone is that of a time.');
      const readSchedule = await reader();
      const now = clock.now();
      const changed = events.commit(() => {
        const found = foundOf(id, undefined);
        const { kind = found.kind, text = found.text } = what;
        if (when === undefined) return rows.change({ ...found, kind, text: mask(text) });
        const { person, chat } = found;
        const input = { person, chat, kind, text, when, zone: zone ?? found.zone ?? undefined };
        const made = readSchedule(input, { id, now, ...how() });
        const isOver = found.state === 'done' || found.state === 'stopped';
        if (isOver) refuseMore(person);
        firings.drop('schedule', id);
        return rows.change({ ...made, state: isOver ? 'active' : found.state });
      });
      timer.look();
      return shown(changed);
    },
    async confirmSchedule({ id, persons }) {
      const confirmed = events.commit(() => {
        const found = foundOf(id, persons);
        if (found.state !== 'proposed') return found;
        refuseMore(found.person);
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
    async nextTimes({ id, count }) {
      const { state, recurrence, zone, anchorMs, next_at_ms: at } = foundOf(id, undefined);
      if (at === null || state === 'stopped') return { times: [] };
      if (recurrence === undefined) return { times: [at] };
      return { times: timesAfter(recurrence, at - 1, { zone: zone ?? 'UTC', anchorMs, count }) };
    },
    async deleteSchedule({ id, person }) {
      return events.commit(() => {
        const found = foundOf(id, person);
        rows.remove(id);
        firings.drop('schedule', id);
        return shown(found);
      });
    },
    personTimes: async ({ person }) => heldBy(person),
    async setPersonTimes({ persons, ...change }) {
      const zone = change.zone == null ? change.zone : zoneNamed(change.zone);
      const named = zone === undefined ? change : { ...change, zone };
      events.commit(() => {
        for (const person of persons) rows.setTimes(person, named);
      });
      return heldBy(persons);
    },
    takeFirings: queue.take,
    async settleFiring({ id, ...outcome }) {
      queue.settle(id, outcome);
      timer.look();
    },
  };
}

/** What people laid down: in the zone that holds for one, and as it is next to the program's zone. */
function personTimesIn(rows: Pick<ScheduleRows, 'timesOf'>, usualZone: () => string | undefined) {
  return {
    timesOf(person: string): PersonTimes {
      const times = rows.timesOf([person]);
      return { ...times, zone: times.zone ?? usualZone() ?? null };
    },
    heldBy: (persons: readonly string[]) => ({
      ...rows.timesOf(persons),
      usual_zone: usualZone() ?? null,
    }),
  };
}
