// Commits that share a transaction: each stands or falls on its own, and is reported in order once it stands.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createActiveProblems } from '#base/active-problems.ts';
import { systemClock } from '#base/clock.ts';
import { createDiskFailureHandler } from '#base/files/disk-failures.ts';
import { createIds } from '#base/ids.ts';
import { openEngineDatabase } from '#engine/database.ts';
import { createEventLog } from '#engine/events/event-log.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';

function openLog(t: TestContext) {
  const path = join(tempFolder(t), 'engine.sqlite');
  const clock = systemClock;
  const database = openEngineDatabase(path, clock);
  t.after(() => database.close());
  const told: string[] = [];
  const log = createEventLog({
    database,
    storage: createDiskFailureHandler({
      path,
      problems: createActiveProblems(clock),
      clock,
      log: quietLog().log,
    }),
    newId: createIds(clock),
    clock,
    capacity: 100,
    noticed: ({ envelope }) => told.push(`${envelope.session_id} ${envelope.seq}`),
  });
  const titled = (sessionID: string) =>
    ({ type: 'session.updated', properties: { sessionID, title: 'x' } }) as const;
  return { database, log, told, titled };
}

test('work that throws takes back only its own events, and reports none of them', async (t) => {
  const { log, told, titled } = openLog(t);
  const after: string[] = [];
  const outcomes = await Promise.allSettled([
    log.together((record) => {
      record(titled('ses_1'));
      log.afterCommit(() => after.push('first'));
      return 1;
    }),
    log.together((record) => {
      record(titled('ses_2'));
      log.afterCommit(() => after.push('second'));
      throw new Error('not this one');
    }),
    log.together((record) => {
      log.commit((inner) => inner(titled('ses_3')));
      record(titled('ses_4'));
      return 3;
    }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(after, ['first']);
  const saved = log.page({}, { afterSeq: 0, limit: 10 }).map(({ envelope }) => envelope.session_id);
  assert.deepEqual(saved, ['ses_1', 'ses_3', 'ses_4']);
  assert.deepEqual(
    told.map((line) => line.split(' ')[0]),
    saved,
  );
});

test('a disk that refuses takes back all that was to be committed together, and reports nothing', async (t) => {
  const { database, log, told, titled } = openLog(t);
  database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`);
  const work = (sessionID: string) =>
    log.together((record) => {
      for (let at = 0; at < 200; at += 1) record(titled(`${sessionID}_${'x'.repeat(100)}`));
    });
  const outcomes = await Promise.allSettled([work('ses_1'), work('ses_2')]);
  for (const outcome of outcomes)
    assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'storage_failed');
  assert.deepEqual(log.page({}, { afterSeq: 0, limit: 10 }), []);
  assert.deepEqual(told, []);
});
