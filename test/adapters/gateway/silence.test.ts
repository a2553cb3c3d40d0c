// A chat after a long silence: its conversation continues, and where it cannot, the chat is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from './harness.ts';
import { message } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const yearMs = 365 * 24 * 3_600_000;

test('a chat that was silent for a year continues where it was, and one whose session is gone is told so (G3)', async (t) => {
  const { channel, engine, clock, pass } = await startHarness(t, {
    engine: createScriptedEngine(() => 'ok'),
  });
  await channel.sink.accept(message('1', 'a'));
  await pass();
  await pass(yearMs);
  await channel.sink.accept(message('2', 'b', { at: clock.now() }));
  await pass();
  for (const session of engine.sessions) session.id = 'ses_of_another_engine';
  await channel.sink.accept(message('3', 'c', { at: clock.now() }));
  await pass();
  assert.deepEqual(
    engine.runs.map(({ run }) => run.sessionID),
    ['ses_1', 'ses_1', 'ses_2'],
  );
  const [, before, after] = channel.messages.map(({ text }) => text);
  assert.equal(before, 'ok');
  assert.match(after ?? '', /I no longer have our earlier conversation/);
});
