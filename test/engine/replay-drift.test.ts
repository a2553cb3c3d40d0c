// What a replay says of files that someone, or a crash, has damaged: drift, torn and lost lines.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { main } from '#app/main.ts';
import { openService, type Service } from './http/service-kit.ts';
import { aRunWithCalls, folderOf, replayed } from './support/replayed.ts';

/** A run that is over, with its files as a process leaves them that has ended. */
async function aRun(service: Service): Promise<string> {
  const runID = await service.exchange(await service.session(), 'Hello', 'Hi.');
  await service.restart();
  return runID;
}

test('a state that says something else than its events is seen as drift over HTTP, and stays as it is', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const path = join(folderOf(service, runID), 'run_state.json');
  const state = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...state, status: 'failed', steps: [] }));
  for (let look = 0; look < 2; look += 1) {
    const { drift, persisted } = (await service.ask('GET', `/context/runs/${runID}/replay`)).body;
    assert.deepEqual([drift.mismatch, drift.status_mismatch, persisted.status], [true, true, 'failed']);
  }
});

test('a torn and a garbage line of a log are reported with their places, and a lost event is drift', async (t) => {
  const service = await openService(t);
  const runID = await aRun(service);
  const path = join(folderOf(service, runID), 'events.jsonl');
  appendFileSync(path, '{"event_id":"evt_torn","seq":9');
  const replayed = async () => (await service.ask('GET', `/context/runs/${runID}/replay`)).body;
  const torn = await replayed();
  const [{ file, text }] = torn.unreadable_lines;
  assert.deepEqual([file, text], ['events.jsonl', '{"event_id":"evt_torn","seq":9']);
  assert.deepEqual([torn.drift.mismatch, torn.missing_lines], [false, 0], 'it was never whole');
  const all = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, [all[0], '%%% garbage', ...all.slice(2)].join('\n'));
  const lost = await replayed();
  assert.deepEqual(
    lost.unreadable_lines.map(({ line }: { line: number }) => line),
    [2, all.length - 1],
  );
  assert.deepEqual([lost.missing_lines, lost.drift.missing_lines_mismatch], [1, true]);
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const variables = { PARLEY_HOME: service.kit.folder };
  assert.equal(await main(['runs', 'replay', runID], variables, { out: say, err: say }), 1);
  assert.match(said.join('\n'), /line 2 of events\.jsonl: %%% garbage/);
  assert.match(said.join('\n'), /missing +1 line of/);
});

test('a run that goes on has no drift, though its state is written now and then', async (t) => {
  const service = await openService(t);
  const { runID, call } = await service.prompt(await service.session(), 'plan');
  const look = async () => (await service.ask('GET', `/context/runs/${runID}/replay`)).body;
  assert.equal((await look()).drift.mismatch, false);
  const saved = ['run_state.json', 'blackboard.json'].map((name) => join(folderOf(service, runID), name));
  const early = saved.map((path) => readFileSync(path));
  call.callTool('todo_write', { todos: [] });
  const next = await service.raw.next();
  await look();
  // as they are in a run of more than fifty events
  for (const [index, path] of saved.entries()) writeFileSync(path, early[index] ?? '');
  const going = await look();
  assert.deepEqual([going.drift.mismatch, going.differences], [false, []]);
  assert.ok(going.persisted.last_event_seq < going.replay.last_event_seq);
  next.say('Done.');
  next.finish();
  await service.kit.engine.finished(runID);
  assert.equal((await look()).drift.mismatch, false);
});

test('a run whose folder is gone is told again from the database, the same over HTTP and on the command line', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  const { body: before } = await replayed(service, runID);
  rmSync(folderOf(service, runID), { recursive: true });
  const { body, said, code } = await replayed(service, runID);
  assert.deepEqual([body.replay, body.drift.mismatch, code], [before.replay, false, 0]);
  assert.deepEqual(said, body);
  rmSync(folderOf(service, runID), { recursive: true });
  await main(
    ['runs', 'replay', runID],
    { PARLEY_HOME: service.kit.folder },
    { out: () => {}, err: () => {} },
  );
  assert.deepEqual((await service.ask('GET', `/context/runs/${runID}/replay`)).body, body);
});

test('a run whose folder is gone and whose events were pruned is refused in the same words by HTTP and the command line', async (t) => {
  const service = await openService(t);
  const runID = await aRunWithCalls(service);
  rmSync(folderOf(service, runID), { recursive: true });
  const database = new Database(join(service.kit.folder, 'engine.sqlite'));
  database.exec('DELETE FROM events');
  database.close();
  const { status, body } = await service.ask('GET', `/context/runs/${runID}/replay`);
  assert.deepEqual([status, body.code], [404, 'RUN_FILES_NOT_FOUND']);
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  assert.equal(
    await main(['runs', 'replay', runID], { PARLEY_HOME: service.kit.folder }, { out: say, err: say }),
    1,
  );
  assert.match(said.join(' ').replace(/\s+/g, ' '), new RegExp(body.error.replace(/\W/g, '.')));
});

test('a question that is answered after a restart leaves the board, and the run that died stays as it ended', async (t) => {
  const service = await openService(t);
  const { runID, call } = await service.prompt(await service.session(), 'plan');
  const asked = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  call.callTool('question', { questions: [{ question: 'Which plants?', options: ['all'] }] });
  for await (const event of asked) if (event.type === 'question.asked') break;
  await service.restart();
  const look = async (id: string) => (await service.ask('GET', `/context/runs/${id}/replay`)).body;
  const died = await look(runID);
  assert.deepEqual([died.replay.status, died.replay_blackboard.open_questions.length], ['interrupted', 1]);
  const [question] = (await service.ask('GET', '/question')).body;
  const { body } = await service.ask('POST', `/question/${question.id}/reply`, { answer: ['all'] });
  const next = await service.raw.next();
  next.say('All planned.');
  next.finish();
  await service.kit.engine.finished(body.runID);
  const { replay, replay_blackboard: board, drift, persisted } = await look(runID);
  assert.deepEqual(
    [replay.status, replay.why_next_step, persisted.status],
    ['interrupted', 'the run has ended', 'interrupted'],
  );
  assert.equal((await service.ask('GET', `/runs/${runID}`)).body.status, replay.status);
  for (const { steps } of [replay, persisted])
    assert.deepEqual(
      steps.map(({ tool, status }: { tool: string; status: string }) => [tool, status]),
      [['question', 'interrupted']],
    );
  assert.deepEqual([board.open_questions, board.decisions.length, drift.mismatch], [[], 1, false]);
  const went = await look(body.runID);
  assert.deepEqual([went.replay.status, went.replay_blackboard.open_questions], ['completed', []]);
  assert.equal((await service.ask('GET', `/runs/${body.runID}`)).body.status, went.replay.status);
});
