// The files of a run, written as it goes, and its replay from them.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { main } from '#app/main.ts';
import { createActiveProblems } from '#base/active-problems.ts';
import { createDiskFailureHandler, storageHint } from '#base/files/disk-failures.ts';
import { createIds } from '#base/ids.ts';
import { openEngineDatabase } from '#engine/database.ts';
import { createEventLog } from '#engine/events/event-log.ts';
import { replayRun } from '#engine/run-files/replay.ts';
import { keepRunRetention, oldRuns } from '#engine/run-files/retention.ts';
import { createRunFiles } from '#engine/run-files/run-files.ts';
import type { EngineEvent } from '#engine/wire/events/event.ts';
import { until } from '../support/found.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { quietLog } from '../support/quiet-log.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openService, type Service } from './http/service-kit.ts';
import { ask, openKit } from './support/kit.ts';

const todos = [{ id: '1', content: 'water the plants', status: 'pending' }];

async function aRun(service: Service, calls = 1): Promise<string> {
  const id = await service.session();
  let { runID, call } = await service.prompt(id, 'plan');
  for (let i = 0; i < calls; i += 1) {
    call.callTool('todo_write', { todos });
    call = await service.raw.next();
  }
  call.say('All planned.');
  call.finish();
  await service.kit.engine.finished(runID);
  await service.kit.engine.replayRun({ runID, from_checkpoint: false });
  return runID;
}

const folderOf = (service: Service, runID: string) => join(service.kit.folder, 'context_runs', runID);
const lines = (folder: string, name: string) =>
  readFileSync(join(folder, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a run that is not there, or whose name leads elsewhere, is refused with a message', async (t) => {
  const service = await openService(t);
  for (const runID of ['run_none', '..', 'run_/../x'])
    await assert.rejects(replayRun(service.kit.folder, runID), { code: 'run_files_not_found' });
  assert.equal((await service.ask('GET', '/context/runs/run_none/replay')).status, 404);
});

test('the events of a run are in its file, numbered from one, with its state, board and a checkpoint at the end', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const folder = folderOf(service, runID);
  const events = lines(folder, 'events.jsonl');
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
  const durable = await service.kit.engine.runEvents({ runID, after_seq: 0, limit: 100 });
  assert.deepEqual(
    events.map(({ event_id }) => event_id),
    durable.map(({ envelope }) => envelope.event_id),
  );
  const state = JSON.parse(readFileSync(join(folder, 'run_state.json'), 'utf8'));
  assert.deepEqual(
    [state.status, state.last_event_seq, state.revision],
    ['completed', events.length, events.length],
  );
  assert.deepEqual(
    state.steps.map(({ tool, status }: Record<string, string>) => [tool, status]),
    [['todo_write', 'completed']],
  );
  const board = JSON.parse(readFileSync(join(folder, 'blackboard.json'), 'utf8'));
  assert.deepEqual([board.rolling_summary, board.facts], ['All planned.', [{ tool: 'todo_write' }]]);
  assert.equal(lines(folder, 'blackboard_patches.jsonl').length, 2);
  assert.deepEqual(readdirSync(join(folder, 'checkpoints')), [
    `${String(events.length).padStart(20, '0')}.json`,
  ]);
});

test('what is appended is made only of what is new: what is there already is not read again', async (t) => {
  const service = await openService(t, { policy: { tools: { todo_read: 'ask' } } });
  const id = await service.session();
  const { runID, call } = await service.prompt(id, 'plan');
  const events = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  call.callTool('todo_read', {});
  for await (const event of events) if (event.type === 'permission.asked') break;
  await service.ask('GET', `/context/runs/${runID}/replay`);
  const path = join(folderOf(service, runID), 'events.jsonl');
  const before = lines(folderOf(service, runID), 'events.jsonl').at(-1);
  rmSync(path);
  const [request] = await service.kit.engine.permissions();
  await service.kit.engine.replyPermission({ requestID: request?.requestID ?? '', reply: 'once' });
  const next = await service.raw.next();
  next.say('Done.');
  next.finish();
  await service.kit.engine.finished(runID);
  await service.ask('GET', `/context/runs/${runID}/replay`);
  const after = lines(folderOf(service, runID), 'events.jsonl');
  assert.equal(after[0].seq, before.seq + 1);
  assert.equal(after.at(-1).type, 'session.run.finished');
});

test('a replay from the start and from a checkpoint come to the same, and to what was stored', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service, 7);
  const at = async (query: string) =>
    (await service.ask('GET', `/context/runs/${runID}/replay${query}`)).body;
  const whole = await at('?from_checkpoint=false');
  const short = await at('?from_checkpoint=true');
  assert.deepEqual(whole.replay, short.replay);
  assert.deepEqual(whole.replay_blackboard, short.replay_blackboard);
  assert.deepEqual(whole.replay, whole.persisted);
  assert.deepEqual([whole.from_checkpoint, short.from_checkpoint, short.events_applied], [false, true, 0]);
  assert.deepEqual([whole.drift.mismatch, short.drift.mismatch], [false, false]);
});

test('a replay up to an event knows nothing later: neither a later checkpoint nor a later patch', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const { replay, replay_blackboard, from_checkpoint, drift } = (
    await service.ask('GET', `/context/runs/${runID}/replay?upto_seq=3`)
  ).body;
  assert.deepEqual([replay.last_event_seq, replay.status, from_checkpoint], [3, 'running', false]);
  assert.deepEqual(
    replay.steps.map(({ status }: { status: string }) => status),
    ['running'],
  );
  assert.equal(replay_blackboard.revision, 0);
  assert.equal(drift.mismatch, false);
});

test('a torn last line is passed over, and what differs from the stored state is reported', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const folder = folderOf(service, runID);
  appendFileSync(join(folder, 'events.jsonl'), '{"event_id":"evt_torn","seq":9');
  const home = service.kit.folder;
  assert.equal((await replayRun(home, runID, { from: 'start' })).drift.mismatch, false);
  const path = join(folder, 'run_state.json');
  const state = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...state, status: 'running', steps: [] }));
  const { drift } = await replayRun(home, runID, { from: 'start' });
  assert.deepEqual(
    [drift.mismatch, drift.status_mismatch, drift.step_count_mismatch, drift.last_event_mismatch],
    [true, true, true, false],
  );
  rmSync(path);
  assert.equal((await replayRun(home, runID)).persisted, null);
});

test('files that are behind, as a killed process leaves them, are made whole without doubling anything', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const folder = folderOf(service, runID);
  const before = readFileSync(join(folder, 'events.jsonl'), 'utf8');
  const patches = lines(folder, 'blackboard_patches.jsonl');
  rmSync(join(folder, 'checkpoints'), { recursive: true });
  truncateSync(join(folder, 'events.jsonl'), before.indexOf('\n') + 40);
  await service.restart();
  const { drift, replay } = await service.kit.engine.replayRun({ runID, from_checkpoint: false });
  assert.deepEqual(drift, { ...Object(drift), mismatch: false });
  assert.equal((replay as { status: string }).status, 'completed');
  const again = lines(folder, 'blackboard_patches.jsonl');
  assert.deepEqual(
    again.slice(-patches.length).map(({ seq, op }) => [seq, op]),
    patches.map(({ seq, op }) => [seq, op]),
  );
});

test('a state that a killed process left torn, or did not come to write, is written again though nothing happened since', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const folder = folderOf(service, runID);
  truncateSync(join(folder, 'run_state.json'), 20);
  rmSync(join(folder, 'blackboard.json'));
  // the checkpoint is written after both
  rmSync(join(folder, 'checkpoints'), { recursive: true });
  await service.restart();
  const { drift, persisted, replay } = await service.kit.engine.replayRun({ runID, from_checkpoint: false });
  assert.deepEqual(drift, { ...Object(drift), mismatch: false });
  assert.deepEqual(persisted, replay);
  rmSync(join(folder, 'run_state.json'));
  const gone = await service.kit.engine.replayRun({ runID, from_checkpoint: false });
  assert.deepEqual(
    [gone.missing_files, gone.persisted, gone.drift.mismatch],
    [['run_state.json'], null, true],
  );
});

test('files of runs that cannot be written are among the problems with a hint, and are written once they can be', async (t) => {
  const clock = createManualClock();
  const problems = createActiveProblems(clock);
  const { engine, folder, logged } = await openKit(t, { clock, problems });
  const place = join(folder, 'context_runs');
  writeFileSync(place, 'in the way');
  const { id } = await engine.createSession({ title: 'a' });
  const { runID } = await ask(engine, id, 'What is my name?');
  await until('a problem', () => problems.list().length > 0);
  const [problem] = problems.list();
  assert.equal(problem?.component, place);
  assert.match(
    `${problem?.message} ${problem?.hint}`,
    /The files of runs in .*context_runs cannot be written.* The runs continue\. \S/,
  );
  assert.ok(logged.some((line) => line.includes('the files of a run could not be written')));
  rmSync(place);
  await until('the next attempt', () => clock.sleeping() > 0);
  await clock.advance(60_000);
  await until('no problem any more', () => problems.list().length === 0);
  const written = lines(join(place, runID), 'events.jsonl');
  assert.equal(written.at(-1).type, 'session.run.finished');
});

test('too many open files have a hint of their own', () => {
  for (const code of ['EMFILE', 'ENFILE']) assert.match(storageHint(code), /ulimit -n/);
});

test('the files of a session go with it, and those of the oldest runs go at a start', async (t) => {
  const service = await openService(t);
  const runs = [await aRun(service), await aRun(service), await aRun(service)];
  const there = () => runs.map((runID) => existsSync(folderOf(service, runID)));
  const { sessionID = '' } = (await service.kit.engine.getRun({ runID: runs[1] ?? '' })) ?? {};
  await service.ask('DELETE', `/session/${sessionID}`);
  assert.deepEqual(there(), [true, false, true]);
  await service.restart({ limits: { maxRuns: 1 } });
  assert.deepEqual(there(), [false, false, true]);
});

test('files of runs are kept by count and by age, looked at once a day', async (t) => {
  const home = tempFolder(t);
  const dayMs = 24 * 3600_000;
  const clock = createManualClock();
  const put = (runID: string, ageDays: number): void => {
    const folder = join(home, 'context_runs', runID);
    mkdirSync(join(folder, 'checkpoints'), { recursive: true });
    const at = new Date(clock.now() - ageDays * dayMs);
    for (const name of ['events.jsonl', 'checkpoints/1.json']) {
      writeFileSync(join(folder, name), '1234');
      utimesSync(join(folder, name), at, at);
    }
  };
  for (const [id, age] of [
    ['run_1', 9],
    ['run_2', 8],
    // Begun long ago, but it went on until yesterday.
    ['run_3', 1],
    ['run_4', 5],
    ['run_5', 0],
    ['notes', 99],
  ] as const)
    put(id, age);
  const ids = async (days: number | undefined, count: number): Promise<string[]> =>
    (await oldRuns(home, { days, count, now: clock.now() })).map(({ runID }) => runID);
  assert.deepEqual(await ids(undefined, 5), []);
  assert.deepEqual(await ids(undefined, 3), ['run_1', 'run_2']);
  assert.deepEqual(await ids(5, 5), ['run_1', 'run_2', 'run_4']);
  assert.deepEqual(await ids(8, 2), ['run_1', 'run_2', 'run_3']);
  assert.equal((await oldRuns(home, { count: 4, now: clock.now() }))[0]?.bytes, 8);
  const stop = new AbortController();
  const saved = keepRunRetention(home, { days: 7, count: 4, clock, log: quietLog().log }, stop.signal);
  await clock.advance(dayMs);
  const left = () => readdirSync(join(home, 'context_runs')).sort();
  while (left().length > 4) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(left(), ['notes', 'run_3', 'run_4', 'run_5']);
  stop.abort();
  await saved;
  assert.deepEqual(await oldRuns(join(home, 'none'), { count: 1, now: 0 }), []);
});

test('`parley runs replay` rebuilds a run from its files, also where no engine runs', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const replayed = async (...words: string[]) => {
    let said = '';
    const say = (line: string): void => {
      said += `${line}\n`;
    };
    const variables = { PARLEY_HOME: service.kit.folder };
    const code = await main(['runs', 'replay', ...words], variables, { out: say, err: say });
    return { code, said };
  };
  assert.equal(JSON.parse((await replayed(runID, '--json')).said).replay.status, 'completed');
  assert.match((await replayed(runID)).said, /completed.*no drift/s);
  assert.match((await replayed(runID, '--until-event', '2')).said, /running/);
  const unknown = await replayed('run_none');
  assert.equal(unknown.code, 1);
  assert.match(unknown.said, /There is no run "run_none"/);
  const wrong = await replayed(runID, '--until-event', 'x');
  assert.equal(wrong.code, 2);
  assert.match(wrong.said, /--until-event/);
});

test('what happens while a write waits for its turn is written with it, and the files of a run that ended are not read again for it', async (t) => {
  const clock = createManualClock();
  const home = tempFolder(t);
  const path = join(home, 'engine.sqlite');
  const database = openEngineDatabase(path, clock);
  t.after(() => database.close());
  const [problems, { log }, newId] = [createActiveProblems(clock), quietLog(), createIds(clock)];
  const storage = createDiskFailureHandler({ path, problems, clock, log });
  const noticed = (event: EngineEvent): void => files.noticed(event);
  const events = createEventLog({ database, storage, newId, clock, capacity: 100, noticed });
  let reads = 0;
  const page: typeof events.page = (...wanted) => {
    reads += 1;
    return events.page(...wanted);
  };
  const files = createRunFiles({ home, events: { ...events, page }, clock, problems, log });
  const run = { sessionID: 'ses_1', runID: 'run_1' };
  events.commit((record) =>
    record({ type: 'session.run.started', properties: { ...run, startedAtMs: clock.now() } }),
  );
  const looked = files.look(run.runID, async () => {});
  events.commit((record) => {
    const properties = { ...run, finishedAtMs: clock.now(), status: 'completed' } as const;
    record({ type: 'session.run.finished', properties });
  });
  await looked;
  const before = reads;
  await files.settled();
  assert.equal(reads, before);
  const written = lines(join(home, 'context_runs', run.runID), 'events.jsonl');
  assert.deepEqual(
    written.map(({ type }) => type),
    ['session.run.started', 'session.run.finished'],
  );
});
