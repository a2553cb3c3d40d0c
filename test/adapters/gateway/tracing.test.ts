// What the gateway tells anyone who measures it: each turn with its messages and its delivery, under one key across restarts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanRecorder } from '../../support/span-recorder.ts';
import { startHarness } from './harness.ts';
import { message, ScriptedFailure } from './scripted-channel.ts';

test('messages that were accepted before a restart appear in the trace of the turn that answers them', async (t) => {
  const { tracing, spans, outline } = spanRecorder();
  const h = await startHarness(t, { tracing });
  await h.channel.sink.accept(message('1', 'first'));
  const receivedAt = h.clock.now();
  await h.restart(); // before the turn is begun
  await h.pass();
  await h.restart(); // in the middle of its run
  await h.pass();
  h.engine.complete('run_2', 'the answer');
  await h.pass();
  assert.deepEqual(outline(), ['turn: continues', '  message', 'turn', '  message', '  delivery']);
  const keys = new Set(spans.map(({ key }) => key));
  assert.deepEqual([...keys], [h.engine.runs.at(-1)?.key], 'the key of the run');
  assert.ok(
    spans.filter(({ name }) => name !== 'delivery').every(({ startedAtMs }) => startedAtMs === receivedAt),
  );
  assert.doesNotMatch(JSON.stringify(spans), /first|the answer/);
});

test('what cannot be delivered says why in a word, and the turn is traced all the same', async (t) => {
  const { tracing, outline } = spanRecorder();
  const { channel, engine, pass } = await startHarness(t, { tracing });
  channel.failing.send.push(new ScriptedFailure({ kind: 'permission' }));
  await channel.sink.accept(message('1', 'first'));
  await pass();
  engine.complete('run_1', 'the answer');
  await pass();
  assert.deepEqual(outline(), ['turn', '  message', '  delivery: permission']);
});
