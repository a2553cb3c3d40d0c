// Schedules over a real engine.sqlite, on a clock that the test moves; they can be closed and opened again. No test.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createActiveProblems } from '#base/active-problems.ts';
import { createDiskFailureHandler } from '#base/files/disk-failures.ts';
import { createIds } from '#base/ids.ts';
import { createSecrets } from '#base/secrets.ts';
import { openEngineDatabase } from '#engine/database.ts';
import { createEventLog } from '#engine/events/event-log.ts';
import { defaultLimits } from '#engine/limits.ts';
import { createScheduleParts, type ScheduleParts } from '#engine/schedule-parts.ts';
import { readWhen } from '#engine/schedules/read-when.ts';
import { timesAfter } from '#engine/schedules/recurrence.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export interface ScheduleKit {
  clock: ManualClock;
  /** The service of the moment. */
  rooms: ScheduleParts;
  /** Ends the process that has it. */
  stop(): void;
  /** Begins another one on the same file. */
  start(): void;
}

/** Tuesday, 24 November 2026 at 10:00 UTC, which is 11:00 in Berlin. */
export const tuesday = Date.UTC(2026, 10, 24, 10, 0, 0);

export const berlin = { now: tuesday, zone: 'Europe/Berlin' };

/** What a text says of a time, as it is read there. */
export const read = (text: string, frame = berlin) => readWhen(text, frame);

/** The next times of the rule in a text, in UTC to the minute. */
export function next(text: string, count: number, frame = berlin): string[] {
  const { rule } = read(text, frame);
  assert.ok(rule, `${text} recurs`);
  return timesAfter(rule, frame.now, { zone: frame.zone, anchorMs: frame.now, count }).map(iso);
}

/** A moment in UTC, to the minute. */
export const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

export function openScheduleKit(t: TestContext, start = tuesday): ScheduleKit {
  const path = join(tempFolder(t), 'engine.sqlite');
  const clock = createManualClock(start);
  const newId = createIds(clock);
  const { log } = quietLog();
  const open = () => {
    const database = openEngineDatabase(path, clock);
    const storage = createDiskFailureHandler({ path, problems: createActiveProblems(clock), clock, log });
    const events = createEventLog({ database, storage, newId, clock, capacity: 100 });
    const secrets = createSecrets([]);
    const rooms = createScheduleParts({
      database,
      events,
      limits: { ...defaultLimits },
      secrets,
      zone: () => 'UTC',
      namesOf: () => undefined,
      clock,
      newId,
      log,
    });
    rooms.start();
    return { database, rooms };
  };
  let current = open();
  const stop = (): void => {
    current.rooms.close();
    current.database.close();
  };
  t.after(stop);
  return {
    clock,
    get rooms() {
      return current.rooms;
    },
    stop,
    start() {
      current = open();
    },
  };
}
