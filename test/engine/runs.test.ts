// Runs: one at a time, begun once, ended once, and what a restart makes of them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { tempFolder } from '../support/temp-folder.ts';
import { asKilled } from './support/as-killed.ts';
import { ask, begin, only, openKit, originOf, textBody, watch } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

test('a prompt to a session that does not exist is refused with a message, and so are unknown runs', async (t) => {
  const { engine } = await openKit(t);
  await assert.rejects(engine.prompt('ses_none', textBody('hello')), { code: 'session_not_found' });
  await assert.rejects(engine.messages('ses_none'), { code: 'session_not_found' });
  await assert.rejects(engine.finished('run_none'), { code: 'run_not_found' });
  const unsent = engine.delivered({ runID: 'run_none', deliveredAtMs: 1, nativeIDs: [] });
  await assert.rejects(unsent, { code: 'run_not_found' });
  await assert.rejects(engine.getRun({ runID: 'run_none' }), { code: 'run_not_found' });
  await assert.rejects(engine.getSession({ sessionID: 'ses_none' }), { code: 'session_not_found' });
  assert.equal(await engine.findRun('no key'), undefined);
  assert.equal(await engine.hasSession('ses_none'), false);
  assert.equal(await engine.cancel('ses_none'), false);
});

test('while a run is active another prompt learns which one, and nothing of it is stored', async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const { until } = watch(t, engine, { sessionID: id });
  const runID = await begin(engine, id, textBody('first'));
  const outcome = await engine.prompt(id, textBody('second'));
  assert.equal(outcome.status, 'conflict');
  assert.equal(outcome.status === 'conflict' && outcome.activeRun.runID, runID);
  await until((event) => event.type === 'session.run.conflict' && event.properties.runID === runID);
  assert.equal((await engine.health()).activeRuns, 1);
  const other = await engine.createSession({});
  const somewhereElse = await begin(engine, other.id, textBody('elsewhere'));
  for (const _ of [1, 2]) {
    const call = await raw.next();
    call.say('done');
    call.finish();
  }
  await Promise.all([engine.finished(runID), engine.finished(somewhereElse)]);
  assert.equal((await engine.messages(id)).length, 2);
});

test('the database itself refuses a second running run of a session', async (t) => {
  const raw = await startRaw(t);
  const { engine, folder } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  await begin(engine, id, textBody('first'));
  const database = new Database(join(folder, 'engine.sqlite'));
  const double = `INSERT INTO runs (id, session_id, user_message_id, assistant_message_id, status, started_at_ms)
    SELECT 'run_x', session_id, user_message_id, assistant_message_id, status, 1 FROM runs`;
  assert.throws(() => database.exec(double), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
  database.close();
});

test('the same idempotency key gives the same run, also to calls at the same moment and after a restart', async (t) => {
  const kit = await openKit(t);
  const { id } = await kit.engine.createSession({});
  const options = { idempotencyKey: 'k1' };
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => kit.engine.prompt(id, textBody('my bike is green'), options)),
  );
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['replayed', 'replayed', 'started']);
  const runIDs = new Set(outcomes.map((outcome) => outcome.status !== 'conflict' && outcome.runID));
  assert.equal(runIDs.size, 1);
  const [runID] = runIDs;
  await kit.engine.finished(String(runID));
  const engine = await kit.restart();
  const again = await engine.prompt(id, textBody('my bike is green'), { ...options, retryInterrupted: true });
  assert.equal(again.status, 'replayed');
  assert.equal((await engine.findRun('k1'))?.runID, runID);
  assert.equal((await engine.messages(id)).length, 2);
});

test('of two prompts to a session at one moment one begins, and the other learns which', async (t) => {
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({});
  const [first, second] = await Promise.all(
    ['one', 'two'].map((text) => engine.prompt(id, textBody(`my boat has number ${text}`))),
  );
  assert.deepEqual([first?.status, second?.status], ['started', 'conflict']);
  const begun = first?.status === 'started' ? first.runID : '';
  assert.equal(second?.status === 'conflict' && second.activeRun.runID, begun);
  assert.equal((await engine.finished(begun)).status, 'completed');
  assert.equal((await engine.messages(id)).length, 2);
});

test('a cancel and a closing that come before the beginning of a run is committed end it', async (t) => {
  const raw = await startRaw(t);
  const kit = await openKit(t, { model: raw.settings });
  const { id } = await kit.engine.createSession({});
  const prompted = kit.engine.prompt(id, textBody('first'));
  assert.equal(await kit.engine.cancel(id), true);
  const cancelled = await prompted;
  const runID = cancelled.status === 'started' ? cancelled.runID : '';
  assert.equal((await kit.engine.getRun({ runID })).status, 'cancelled');
  const late = kit.engine.prompt(id, textBody('second'), { idempotencyKey: 'k2' });
  const engine = await kit.restart();
  assert.equal((await late).status, 'started');
  assert.equal((await engine.findRun('k2'))?.status, 'interrupted');
});

test('the same words said twice are two messages and two runs (TAF)', async (t) => {
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({});
  const first = await ask(engine, id, 'yes');
  const second = await ask(engine, id, 'yes');
  assert.notEqual(first.runID, second.runID);
  const said = (await engine.messages(id)).filter(({ info }) => info.role === 'user');
  assert.equal(said.length, 2);
});

test('what the person said is never published as a part of the answer (TB)', async (t) => {
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({});
  const { seen, until } = watch(t, engine, { sessionID: id });
  await ask(engine, id, 'my parrot Zanzibar speaks Latin');
  await until(({ type }) => type === 'session.run.finished');
  const messages = await engine.messages(id);
  const assistant = messages.find(({ info }) => info.role === 'assistant')?.info.id;
  const parts = only(seen, 'message.part.updated').map(({ properties }) => properties.part);
  assert.ok(parts.length > 1);
  assert.doesNotMatch(JSON.stringify(parts), /Zanzibar/);
  for (const part of parts) assert.equal(part.messageID, assistant);
});

test('an end and its event come once, and the events of a run are in order', async (t) => {
  const { engine } = await openKit(t);
  const { id } = await engine.createSession({});
  const { seen, until } = watch(t, engine, { sessionID: id });
  const run = await ask(engine, id, 'What is my name?');
  await until(({ type }) => type === 'session.run.finished');
  const durable = seen.filter(({ envelope }) => envelope.seq !== null);
  const told = durable.map((event) =>
    event.type === 'message.part.updated'
      ? `${event.properties.part.type} ${event.properties.part.state ?? 'ended'}`
      : event.type,
  );
  assert.deepEqual(told, [
    'session.updated',
    'session.run.started',
    'tool pending',
    'tool running',
    'tool completed',
    'text ended',
    'session.run.finished',
  ]);
  const seqs = durable.map(({ envelope }) => envelope.seq ?? 0);
  assert.deepEqual(
    seqs,
    seqs.map((_, index) => (seqs[0] ?? 0) + index),
  );
  assert.equal((await engine.getRun({ runID: run.runID })).text, run.text);
  // neither a stop that comes late nor another prompt ends it again
  assert.deepEqual([await engine.cancelRun(run.runID), await engine.cancel(id)], [false, false]);
  await ask(engine, id, 'And again?');
  assert.partialDeepStrictEqual(await engine.getRun({ runID: run.runID }), run);
  const events = await engine.runEvents({ runID: run.runID, after_seq: 0, limit: 100 });
  assert.equal(events.filter(({ type }) => type === 'session.run.finished').length, 1);
});

test("waiting for a run ends with the caller's signal, and the run continues", async (t) => {
  const raw = await startRaw(t);
  const { engine } = await openKit(t, { model: raw.settings });
  const { id } = await engine.createSession({});
  const runID = await begin(engine, id, textBody('hello'));
  const call = await raw.next();
  const stop = new AbortController();
  const waiting = engine.finished(runID, stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  call.say('Still here.');
  call.finish();
  assert.equal((await engine.finished(runID)).text, 'Still here.');
});

test('a run that its process took with it is interrupted at the next start and can be started again under its key', async (t) => {
  const raw = await startRaw(t);
  const kit = await openKit(t, { model: raw.settings });
  const { id } = await kit.engine.createSession({});
  const events = watch(t, kit.engine, { sessionID: id });
  const origin = originOf();
  const outcome = await kit.engine.prompt(id, textBody('my question', origin), { idempotencyKey: 'k1' });
  const firstID = outcome.status === 'started' ? outcome.runID : '';
  (await raw.next()).say('Half');
  await events.until(({ type }) => type === 'message.part.updated');
  const image = join(tempFolder(t), 'engine.sqlite');
  asKilled(join(kit.folder, 'engine.sqlite'), image);

  const engine = await kit.restart({ path: image });
  assert.equal((await engine.getRun({ runID: firstID })).status, 'interrupted');
  assert.equal((await engine.finished(firstID)).status, 'interrupted');
  assert.equal((await engine.prompt(id, textBody('x'), { idempotencyKey: 'k1' })).status, 'replayed');
  const again = await engine.prompt(id, textBody('my question', origin), {
    idempotencyKey: 'k1',
    retryInterrupted: true,
  });
  assert.equal(again.status, 'started');
  const secondID = again.status === 'started' ? again.runID : '';
  assert.notEqual(secondID, firstID);
  const call = await raw.next();
  call.say('Whole');
  call.finish();
  assert.equal((await engine.finished(secondID)).text, 'Whole');
  assert.equal((await engine.findRun('k1'))?.runID, secondID);
  const asked = call.body.messages.filter(({ content }) => JSON.stringify(content).includes('my question'));
  assert.equal(asked.length, 1);
  const messages = await engine.messages(id);
  assert.deepEqual(
    messages.map(({ info }) => [info.role, info.error?.code]),
    [
      ['user', undefined],
      ['assistant', 'INTERRUPTED'],
      ['assistant', undefined],
    ],
  );
});

test('closing interrupts what is running, answers those who wait, and refuses what comes later', async (t) => {
  const raw = await startRaw(t);
  const kit = await openKit(t, { model: raw.settings });
  const closed = kit.engine;
  const { id } = await closed.createSession({});
  const outcome = await closed.prompt(id, textBody('hello'), { idempotencyKey: 'k1' });
  const runID = outcome.status === 'started' ? outcome.runID : '';
  const call = await raw.next();
  const waiting = assert.rejects(closed.finished(runID), { code: 'engine_closed' });
  const engine = await kit.restart();
  await waiting;
  await call.closed;
  await assert.rejects(closed.prompt(id, textBody('x')), { code: 'engine_closed' });
  assert.equal((await closed.health()).ready, false);
  assert.equal((await engine.findRun('k1'))?.status, 'interrupted');
});

test('the title of a session is its first text, cut, unless one was given', async (t) => {
  const { engine } = await openKit(t);
  const untitled = await engine.createSession({});
  const titled = await engine.createSession({ title: '  My talk ', projectID: 'p1', directory: '/srv/x' });
  assert.equal(untitled.title, 'New session');
  await ask(engine, untitled.id, `a long\nfirst text ${'word '.repeat(40)}`);
  await ask(engine, titled.id, 'hello');
  const title = (await engine.getSession({ sessionID: untitled.id })).title ?? '';
  assert.match(title, /^a long first text word .*…$/);
  assert.ok(title.length <= 80);
  const saved = await engine.getSession({ sessionID: titled.id });
  assert.deepEqual([saved?.title, saved?.projectID, saved?.workspaceRoot], ['My talk', 'p1', '/srv/x']);
  assert.ok((saved?.time.created ?? 0) < 10_000_000_000, 'times on the wire are seconds');
  const { sessions: listed } = await engine.findSessions({ limit: 1, offset: 0 });
  assert.deepEqual(
    listed.map((session) => session.id),
    [titled.id],
  );
  assert.equal((await engine.findSessions({ limit: 10, offset: 1 })).sessions[0]?.id, untitled.id);
});
