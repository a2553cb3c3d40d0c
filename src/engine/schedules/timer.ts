// Makes schedules due at their times: a firing for each, once, and the time of the next one, in one transaction.

import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import { waitAbandoned } from '#base/waiting/async.ts';
import type { EventLog } from '#engine/events/event-log.ts';
import type { PersonTimes } from '#engine/wire/schedules/schedule.ts';
import type { FiringRows } from './firing-rows.ts';
import { releaseAt } from './quiet.ts';
import { nextAfter } from './recurrence.ts';
import type { ScheduleRows, StoredSchedule } from './schedule-rows.ts';

interface Timer {
  /** Begins: what became due while no process ran is due now. */
  start(): void;
  /** Looks for what is due, and sets the time of the next look. */
  look(): void;
  close(): void;
}

/**
 * Longest time between two looks while something is scheduled, in milliseconds. Waits are monotonic and the times are wall times: when the
 * system's clock is set, this is how late it is noticed.
 */
const maxWaitMs = 15_000;
/** After a look that failed, as on a full disk. */
const retryMs = 5_000;
const maxAtOnce = 200;
/** Missed times that are counted one by one to find the last of them. */
const maxMissed = 1_000;

/** Over the tables of one engine; `released` is called when something can be taken. */
export function createTimer(options: {
  rows: ScheduleRows;
  /** What a person laid down, in the zone that holds for them. */
  timesOf: (person: string) => PersonTimes;
  firings: FiringRows;
  events: Pick<EventLog, 'commit'>;
  clock: Clock;
  newId: NewId;
  log: Log;
  released: () => void;
}): Timer {
  const { rows, timesOf, firings, events, clock, newId, log, released } = options;
  let started = false;
  let waiting: AbortController | undefined;

  const fire = (schedule: StoredSchedule, now: number): void => {
    const { id, kind, text, chat, person, zone, recurrence, anchorMs, next_at_ms: at } = schedule;
    if (at === null) return;
    const frame = { zone: zone ?? 'UTC', anchorMs };
    const next = recurrence === undefined ? undefined : nextAfter(recurrence, now, frame);
    // of what was missed only the last is made up for
    const due =
      recurrence === undefined ? at : lastMissed(at, now, (after) => nextAfter(recurrence, after, frame));
    const release = releaseAt(now, timesOf(person));
    firings.insert({
      ...{ id: newId('fir'), source: 'schedule', source_id: id, occurrence: String(due) },
      ...{ kind, text, chat, person, zone, due_at_ms: due, recurring: recurrence !== undefined },
      platform: chat.split(':')[0] ?? '',
      releaseAtMs: release > now ? release : due,
      madeAtMs: now,
    });
    rows.fired(id, now, next);
  };

  const makeDue = (): void => {
    for (;;) {
      const now = clock.now();
      const made = events.commit(() => {
        const due = rows.due(now, maxAtOnce);
        for (const schedule of due) fire(schedule, now);
        return due.length;
      });
      if (made < maxAtOnce) return;
    }
  };

  const arm = (ms: number): void => {
    waiting?.abort(waitAbandoned);
    const turn = new AbortController();
    waiting = turn;
    clock.sleep(ms, turn.signal).then(look, () => {}); // it was set to another time
  };

  const look = (): void => {
    if (!started) return;
    try {
      makeDue();
      released();
      const now = clock.now();
      const times = [rows.nextAt(), firings.nextRelease(now)].filter((at) => at !== undefined);
      waiting?.abort(waitAbandoned);
      waiting = undefined;
      if (times.length > 0) arm(Math.min(maxWaitMs, Math.max(1, Math.min(...times) - now)));
    } catch (error) {
      log.error({ words: errorMessage(error) }, 'what is due could not be looked up');
      arm(retryMs);
    }
  };

  return {
    start() {
      started = true;
      look();
    },
    look,
    close() {
      started = false;
      waiting?.abort(waitAbandoned);
    },
  };
}

/** The last time up to now of a rule whose next time was `first`. */
function lastMissed(first: number, now: number, next: (after: number) => number | undefined): number {
  let last = first;
  for (let n = 0; n < maxMissed; n += 1) {
    const later = next(last);
    if (later === undefined || later > now) break;
    last = later;
  }
  return last;
}
