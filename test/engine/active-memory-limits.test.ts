// The bounds of the look into memory before an answer: its time limit, its pauses, its cache, and what fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, textBody } from './support/kit.ts';
import { dm, nothing, openLooks, question } from './support/looks.ts';

test('an answer waits for its time limit and no longer: then it is given without the look, whose request ends', async (t) => {
  const { asked, nextLook, clock, state, kit } = await openLooks(t);
  const answer = asked(question);
  const slow = await nextLook();
  slow.open();
  await clock.advance(1_400);
  assert.equal((await state()).last, null);
  await clock.advance(100);
  assert.doesNotMatch(await answer, /nuts|works only in part/);
  await slow.closed;
  const { last, counts } = await state();
  assert.deepEqual([last?.outcome, last?.ms, counts?.late], ['late', 1_500, 1]);
  assert.ok(kit.logged.some((line) => /answer is given without a look/.test(line)));
});

test('after three looks in a row that are late or fail none is begun for the pause, then one decides', async (t) => {
  const { asked, nextLook, clock, state, open } = await openLooks(t);
  const late = async (): Promise<void> => {
    const answer = asked(question);
    await nextLook();
    await clock.advance(1_500);
    await answer;
  };
  await late();
  const failing = asked(question);
  (await nextLook()).refuse(401, { error: { message: 'no' } });
  await failing;
  assert.equal((await state()).counts?.pausedUntilMs, null);
  await late();
  assert.equal((await state()).counts?.pausedUntilMs, clock.now() + 60_000);
  clock.jump(3_600_000); // a clock that is set does not end the pause
  await asked(question);
  assert.equal(open(), 0);
  assert.equal((await state()).last?.outcome, 'paused');
  assert.equal((await state()).counts?.pausedUntilMs, clock.now() + 60_000);
  await clock.advance(60_000);
  const first = asked(question);
  const trial = await nextLook();
  await asked(question);
  assert.equal(open(), 0, 'while the one that decides runs, no other is begun');
  nothing(trial);
  await first;
  assert.deepEqual([(await state()).last?.outcome, (await state()).counts?.pausedUntilMs], ['nothing', null]);
  const after = asked(question);
  nothing(await nextLook());
  await after;
});

test('the model is not asked again about the same, and what was forgotten since is not given', async (t) => {
  const { asked, nextLook, open, session, engine, memory, clock, state } = await openLooks(t);
  const id = await session();
  const answer = asked(question, { id });
  (await nextLook()).callTool('memory_search', { query: 'nuts' });
  (await nextLook()).callTool('give', { numbers: [1] });
  assert.match(await answer, /Mira gets ill/);
  const back = async (): Promise<void> => {
    const [first] = await engine.messages(id);
    await engine.revertSession({ sessionID: id, messageID: first?.info.id ?? '' });
  };
  await back();
  assert.match(await asked(question, { id }), /Mira gets ill/);
  assert.equal(open(), 0);
  assert.equal((await state()).counts?.cached, 1);
  const scope = { audiences: ['person:per_1' as const], spaces: [], everyone: false };
  const { forgotten } = await memory.forget({
    ...{ scope, selection: { words: 'Mira' }, mode: 'forget', by: { name: 'operator' } },
  } as Parameters<typeof memory.forget>[0]);
  assert.equal(forgotten, true);
  await back();
  assert.doesNotMatch(await asked(question, { id }), /Mira/);
  assert.equal(open(), 0);
  await clock.advance(60_000);
  await back();
  const again = asked(question, { id });
  nothing(await nextLook());
  await again;
});

test('a run that is cancelled during its look ends so, and counts as no failure of looks', async (t) => {
  const { engine, session, nextLook, state, asked } = await openLooks(t, {
    breaker: { failures: 1, pauseMs: 60_000 },
  });
  const id = await session();
  const runID = await begin(engine, id, textBody(question, dm));
  const look = await nextLook();
  await engine.cancel(id);
  await look.closed;
  assert.equal((await engine.finished(runID)).status, 'cancelled');
  assert.deepEqual([(await state()).last, (await state()).counts?.pausedUntilMs], [null, null]);
  const answer = asked(question);
  nothing(await nextLook());
  await answer;
});

test('a model that is out for looks is no outage of the one that answers, and no other takes over', async (t) => {
  const { asked, nextLook, clock, state, kit, answers } = await openLooks(t);
  const answer = asked(question);
  (await nextLook()).refuse(503, { error: { message: 'down' } });
  await clock.advance(1_500);
  await answer;
  assert.notEqual((await state()).last?.outcome, 'given');
  assert.ok(!kit.logged.some((line) => /"model_out"/.test(line)));
  assert.deepEqual(
    answers.map(({ body }) => body.model),
    ['m'],
  );
});

test('an agent that is named for looks and not configured is refused at the start', async (t) => {
  await assert.rejects(openLooks(t, { agents: ['nobody'] }), { code: 'unknown_agent' });
});

test('a memory that fails gives an answer without a look', async (t) => {
  const { asked, memory, state } = await openLooks(t);
  await memory.close();
  assert.match(await asked(question), /works only in part/);
  assert.equal((await state()).last?.outcome, 'failed');
});
