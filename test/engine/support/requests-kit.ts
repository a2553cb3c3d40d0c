// Requests to people over a real table and event log, without runs: for tests of how they wait and end.
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createActiveProblems } from '#base/active-problems.ts';
import { createDiskFailureHandler } from '#base/files/disk-failures.ts';
import { createIds } from '#base/ids.ts';
import { openEngineDatabase } from '#engine/database.ts';
import { createEventLog } from '#engine/events/event-log.ts';
import { createRequestRows } from '#engine/permissions/request-rows.ts';
import { createRequests } from '#engine/permissions/requests.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export const minute = 60_000;
export const leaving = new Error('the process ends');
export const ann = { person: 'per_1', name: 'Ann' };

/** The requests of one engine over a separate database, on a clock that stands still; `process` is the engine of another process. */
export function openRequests(t: TestContext) {
  const path = join(tempFolder(t), 'engine.sqlite');
  const clock = createManualClock();
  const database = openEngineDatabase(path, clock);
  t.after(() => database.close());
  const newId = createIds(clock);
  const problems = createActiveProblems(clock);
  const told: string[] = [];
  const events = createEventLog({
    database,
    storage: createDiskFailureHandler({ path, problems, clock, log: quietLog().log }),
    newId,
    clock,
    capacity: 100,
    noticed: ({ type, properties }) =>
      told.push(
        [type, 'status' in properties ? properties.status : '', 'reply' in properties ? properties.reply : '']
          .join(' ')
          .trim(),
      ),
  });
  const rows = createRequestRows(database);
  /** As each process makes them. */
  const process = () =>
    createRequests({
      ...{ rows, events, clock, newId, outlives: (reason: unknown) => reason === leaving },
      waitMs: { permission: 10 * minute, question: 60 * minute, room: 5 * minute },
    });
  const call = (more: object = {}) => ({
    ...{ sessionID: 'ses_1', runID: 'run_1', userMessageID: 'msg_1', messageID: 'msg_2', callID: 'call_1' },
    ...{ agent: 'main', tool: 'shell', args: 'ls', kind: 'permission' as const, ...more },
  });
  const wait = (requests: ReturnType<typeof process>, more: object = {}, end = new AbortController()) => {
    const reply = requests.ask(call(more) as never, end.signal); // the fields of a call
    reply.catch(() => {});
    const { kind, args, userMessageID } = call(more);
    const request = rows
      .all()
      .findLast((row) => row.kind === kind && row.args === args && row.userMessageID === userMessageID);
    return { reply, end, id: request?.id ?? '', request };
  };
  return { clock, database, events, rows, told, process, wait, newId };
}
