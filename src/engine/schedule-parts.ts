// The engine's rooms for what is due at a time, put together: schedules, their firings, and the timer that makes them due.
import type { Clock } from '#base/clock.ts';
import type { NewId } from '#base/ids.ts';
import type { Log } from '#base/log/log.ts';
import type { Secrets } from '#base/secrets.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { EventLog } from './events/event-log.ts';
import type { EngineLimits } from './limits.ts';
import { createFiringRows } from './schedules/firing-rows.ts';
import { createHookRows } from './schedules/hook-rows.ts';
import { createHooks } from './schedules/hooks.ts';
import { createScheduleRows, type ScheduleRows } from './schedules/schedule-rows.ts';
import { createSchedules } from './schedules/schedules.ts';
import type { PlaceNameTable } from './sessions/place-names.ts';
import type { HookService, ScheduleService } from './wire/schedules/schedule-operations.ts';
import type { ScheduleStanding } from './wire/schedules/schedule-standing.ts';

export interface ScheduleParts {
  service: ScheduleService & HookService;
  /** What belongs to persons or chats. */
  saved: Pick<ScheduleRows, 'countOf' | 'removeOf' | 'zoneOf'>;
  /** Removes what ended, and firings that were settled, before this time; how many. */
  prune(beforeMs: number): number;
  standing(): ScheduleStanding;
  start(): void;
  close(): void;
}

/** So long a proposed schedule waits for its person's yes. */
const proposedMs = 24 * 3_600_000;
const dayMs = 24 * 3_600_000;

/** The rooms over one database; nothing is due before `start`. */
export function createScheduleParts(options: {
  database: Sqlite;
  events: EventLog;
  limits: EngineLimits;
  secrets: Secrets;
  /** The zone of those whose own is not known; UTC when undefined. */
  zone: () => string | undefined;
  namesOf: PlaceNameTable['of'];
  clock: Clock;
  newId: NewId;
  log: Log;
}): ScheduleParts {
  const { database, events, secrets, clock } = options;
  const rows = createScheduleRows(database);
  const firings = createFiringRows(database);
  const hookRows = createHookRows(database);
  const both = { ...options, firings, mask: secrets.mask };
  const { start, close, nudge, outcome, ...schedules } = createSchedules({ ...both, rows, hooks: hookRows });
  const service = { ...schedules, ...createHooks({ ...both, rows: hookRows, nudge, outcome }) };
  const prune = (beforeMs: number): number =>
    events.commit(() => {
      const proposed = clock.now() - proposedMs;
      return rows.prune({ over: beforeMs, proposed }) + firings.prune(beforeMs);
    });
  const standing = (): ScheduleStanding => ({
    active: rows.countActive(),
    nextAtMs: rows.nextAt() ?? null,
    waiting: firings.open(),
    failedLastDay: firings.failedSince(clock.now() - dayMs),
  });
  return { service, saved: rows, prune, standing, start, close };
}
