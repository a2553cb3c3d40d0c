// What the parts of an engine write to: its database, the log of events over it, and the files of runs that follow the events.
import { dirname } from 'node:path';
import type { ActiveProblems } from '#base/active-problems.ts';
import { createDiskFailureHandler } from '#base/files/disk-failures.ts';
import { createCheckpoints } from '#base/sqlite/checkpoints.ts';
import { openEngineDatabase } from './database.ts';
import type { EngineOptions } from './engine-options.ts';
import { createEventLog } from './events/event-log.ts';
import type { EngineLimits } from './limits.ts';
import { createRunFiles } from './run-files/run-files.ts';
import type { EngineEvent } from './wire/events/event.ts';

/** Opens them; throws as `openSqlite` does. `noticed` receives every durable event once it is committed. */
export function openEngineStorage(
  { path, home = dirname(path), clock, newId, log }: EngineOptions,
  {
    limits,
    problems,
    noticed,
  }: {
    limits: Pick<EngineLimits, 'subscriberEvents'>;
    problems: ActiveProblems;
    noticed: (event: EngineEvent) => void;
  },
) {
  const database = openEngineDatabase(path, clock);
  const checkpoints = createCheckpoints(database);
  const storage = createDiskFailureHandler({ path, problems, clock, log, written: checkpoints.written });
  const events = createEventLog({
    ...{ database, storage, newId, clock },
    capacity: limits.subscriberEvents,
    noticed(event) {
      runFiles.noticed(event);
      noticed(event);
    },
  });
  const runFiles = createRunFiles({ home, events, clock, problems, log });
  return { home, database, checkpoints, storage, events, runFiles };
}
