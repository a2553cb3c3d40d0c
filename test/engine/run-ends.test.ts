// The ends of runs that go wrong: an end that could not be written, a second one, a disk that refuses in the middle.
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { createActiveProblems } from '#base/active-problems.ts';
import { codeOf } from '#base/errors.ts';
import { until } from '../support/found.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { begin, openKit, textBody } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

const page = { limit: 10, offset: 0 };

test('a run whose end could not be written frees its session: the next prompt begins, and the old run counts as interrupted', async (t) => {
  const raw = await startRaw(t);
  const { engine, folder, logged } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const stuck = await begin(engine, id, textBody('first'));
  const call = await raw.next();
  const other = new Database(join(folder, 'engine.sqlite'));
  t.after(() => other.close());
  // a fault of the database that is not the disk's, so that nothing waits for it to pass
  other.exec(`CREATE TRIGGER refuses_ends BEFORE UPDATE OF status ON runs WHEN new.status <> 'running'
    BEGIN SELECT RAISE(ABORT, 'no end is written'); END`);
  call.say('Never stored.');
  call.finish();
  await assert.rejects(engine.finished(stuck), { code: 'storage_failed' });
  assert.match(logged.join(), /the end of a run could not be written/);
  assert.equal((await engine.getRun({ runID: stuck })).status, 'running', 'nothing but its row says so');
  const stored = JSON.stringify(await engine.messages(id));
  assert.doesNotMatch(stored, /Never stored/, 'the last words and the end are one commit');
  other.exec('DROP TRIGGER refuses_ends');
  const second = await begin(engine, id, textBody('second'));
  assert.equal((await engine.getRun({ runID: stuck })).status, 'interrupted');
  const next = await raw.next();
  next.say('Here I am.');
  next.finish();
  assert.equal((await engine.finished(second)).text, 'Here I am.');
  const ends = await engine.runEvents({ runID: stuck, after_seq: 0, limit: 100 });
  assert.deepEqual(
    ends.filter(({ type }) => type === 'session.run.finished').map(({ properties }) => properties),
    [{ ...ends.at(-1)?.properties, status: 'error', error: 'interrupted', failureCategory: 'runtime' }],
  );
});

for (const [how, later] of [
  ['completes', 'completed'],
  ['is cancelled', 'cancelled'],
  ['is closed', 'interrupted'],
] as const) {
  test(`the first end of a run stands: one that ${how} after it was ended changes nothing and has no second event`, async (t) => {
    const raw = await startRaw(t);
    const clock = createManualClock();
    const kit = await openKit(t, { model: raw.settings, clock });
    const { engine } = kit;
    const { id } = await engine.createSession({});
    const runID = await begin(engine, id, textBody('first'));
    const call = await raw.next();
    call.say('Half');
    const other = await openKit(t, { path: join(kit.folder, 'engine.sqlite'), model: raw.settings, clock });
    assert.equal((await other.engine.getRun({ runID })).status, 'interrupted', 'as another process ends it');
    const first = await other.engine.getRun({ runID });
    const messages = JSON.stringify(await other.engine.messages(id));
    const usage = JSON.stringify(await other.engine.listRuns({ sessionID: id, ...page }));
    await clock.advance(1_000);
    if (later === 'completed') {
      call.say(' and whole.');
      call.finish();
      await assert.rejects(engine.finished(runID), { code: 'storage_failed' });
    } else if (later === 'cancelled') assert.equal(await engine.cancelRun(runID), false);
    else await engine.close();
    assert.deepEqual(await other.engine.getRun({ runID }), first);
    assert.equal(JSON.stringify(await other.engine.listRuns({ sessionID: id, ...page })), usage);
    const said = JSON.parse(messages) as { info: unknown }[];
    const now = await other.engine.messages(id);
    assert.deepEqual(
      now.map(({ info }) => info),
      said.map(({ info }) => info),
    );
    const events = await other.engine.runEvents({ runID, after_seq: 0, limit: 100 });
    assert.deepEqual(
      events.filter(({ type }) => type === 'session.run.finished').length,
      1,
      JSON.stringify(events.map(({ type }) => type)),
    );
  });
}

test('a run whose part the disk refuses is interrupted, not failed, and begins again under its key once the disk writes', async (t) => {
  const raw = await startRaw(t);
  const clock = createManualClock();
  const problems = createActiveProblems(clock);
  const { engine, folder } = await openKit(t, { model: raw.settings, clock, problems });
  const { id } = await engine.createSession({});
  const key = { idempotencyKey: 'k1', retryInterrupted: true };
  const started = await engine.prompt(id, textBody('plan'), key);
  const runID = started.status === 'started' ? started.runID : '';
  const call = await raw.next();
  const path = join(folder, 'engine.sqlite');
  renameSync(path, `${path}.away`);
  call.say('Half');
  call.callTool('todo_write', { todos: [] });
  await until('the problem', () => problems.list().length > 0);
  renameSync(`${path}.away`, path);
  const ended = engine.finished(runID).catch(codeOf);
  await clock.advance(500); // after which the end is tried again
  assert.equal(await ended, 'storage_failed');
  const run = await engine.getRun({ runID });
  assert.deepEqual([run?.status, run?.failure?.code], ['interrupted', 'INTERRUPTED']);
  const again = await engine.prompt(id, textBody('plan'), key);
  assert.equal(again.status, 'started');
  const next = await raw.next();
  next.say('Whole.');
  next.finish();
  const secondID = again.status === 'started' ? again.runID : '';
  assert.equal((await engine.finished(secondID)).text, 'Whole.');
});
