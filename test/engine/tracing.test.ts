// What the engine tells anyone who measures it: the run, its model calls and tools, by name and count only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanRecorder } from '../support/span-recorder.ts';
import { ask, openKit, originOf, textBody } from './support/kit.ts';
import { startRaw } from './support/raw-provider.ts';

test('a run is traced with its model calls and tools; what a model invents is traced as unknown', async (t) => {
  const raw = await startRaw(t);
  const { tracing, spans, outline } = spanRecorder();
  const { engine } = await openKit(t, { model: raw.settings, tracing });
  const { id } = await engine.createSession({});
  const asked = ask(engine, id, 'what is on my list?');
  (await raw.next()).callTool('todo_read', {});
  (await raw.next()).callTool('the_words_of_a_person', {});
  const last = await raw.next();
  last.say('Nothing.');
  last.finish();
  assert.equal((await asked).text, 'Nothing.');
  const failing = ask(engine, id, 'again');
  (await raw.next()).refuse(401, { error: { message: 'no' } });
  await failing;
  assert.deepEqual(outline(), [
    'run',
    '  chat m',
    '  execute_tool todo_read',
    '  chat m',
    '  execute_tool unknown: failed',
    '  chat m',
    'run: AUTHENTICATION_ERROR',
    '  chat m: AUTHENTICATION_ERROR',
  ]);
  assert.doesNotMatch(JSON.stringify(spans), /list|Nothing|words of/);
});

test('a run of a turn of the channels is traced under that turn; one without a key or a place is a trace of its own', async (t) => {
  const { tracing, spans } = spanRecorder();
  const { engine } = await openKit(t, { tracing });
  const { id } = await engine.createSession({});
  const told: unknown[] = [];
  for (const [body, idempotencyKey] of [
    [textBody('one', originOf()), 'trn_1'],
    [textBody('two', originOf()), undefined],
    [textBody('three'), 'k3'],
    [textBody('four'), undefined],
  ] as const) {
    const begun = await engine.prompt(id, body, { idempotencyKey });
    const runID = begun.status === 'started' ? begun.runID : '';
    await engine.finished(runID);
    const run = spans.findLast(({ name }) => name === 'run');
    told.push([run?.depth, run?.key === runID ? 'the run' : run?.key]);
  }
  assert.deepEqual(told, [
    [1, 'trn_1'],
    [0, 'the run'],
    [0, 'the run'],
    [0, 'the run'],
  ]);
});
