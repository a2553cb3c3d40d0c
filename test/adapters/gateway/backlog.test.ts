// Messages that were missed and come in after newer ones: answered in the order in which they were written, as far as that is worth waiting for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from './harness.ts';
import { dm, message, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const echo = () => createScriptedEngine((texts) => texts.join(' and '));
const at = message('0', '').at;

test('a message that was missed is answered before a newer one that came in first (A4)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: echo() });
  channel.sink.reportBacklog([dm.chat]);
  await channel.sink.accept(message('2', 'second', { at: at + 2 }));
  await pass(5_000);
  assert.deepEqual(engine.prompts(), []);
  await channel.sink.accept(message('1', 'first', { at: at + 1 }));
  channel.sink.reportBacklog([]);
  await pass();
  assert.deepEqual(engine.prompts(), [['first', 'second']]);
});

test('a message does not wait longer than some seconds for what cannot be fetched (F9)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: echo() });
  channel.sink.reportBacklog('all');
  await channel.sink.accept(message('1', 'hello', { at }));
  await pass(14_000);
  assert.deepEqual(engine.prompts(), []);
  await pass(2_000);
  assert.deepEqual(engine.prompts(), [['hello']]);
});

test('a message that waits for missed ones is seen at once, and other chats do not wait (B5)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: echo() });
  channel.sink.reportBacklog([dm.chat]);
  await channel.sink.accept(message('1', 'here', { at }));
  await channel.sink.accept(message('2', 'there', { at, address: { ...dm, chat: 'D2' } }));
  await pass();
  assert.deepEqual(engine.prompts(), [['there']]);
  assert.deepEqual(channel.reactions, ['1 👀']);
});

test('a command does not wait for what was missed (B6)', async (t) => {
  const { channel, pass } = await startHarness(t, { engine: echo() });
  channel.sink.reportBacklog('all');
  await channel.sink.accept(message('1', '/stop', { at }));
  await pass();
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['There is nothing to stop.'],
  );
});

test('what waits for missed messages is kept when the gateway closes, and closing does not wait', async (t) => {
  const harness = await startHarness(t, { engine: echo() });
  const { channel, clock, engine, pass } = harness;
  channel.sink.reportBacklog('all');
  await channel.sink.accept(message('1', 'hello', { at }));
  await pass();
  const closing = harness.gateway.close(60_000);
  await clock.advance(1);
  await closing;
  harness.gateway = { ...harness.gateway, close: async () => {} }; // it is closed: the restart only opens another
  await harness.restart();
  await pass();
  assert.deepEqual(engine.prompts(), [['hello']]);
});

test('after a restart the next message waits until the answer before it is in the chat', async (t) => {
  const { channel, engine, pass, restart } = await startHarness(t);
  await channel.sink.accept(message('1', 'first', { at }));
  await pass();
  await channel.sink.accept(message('2', 'second', { at: at + 1 }));
  const refusals = Array.from({ length: 4 }, () => new ScriptedFailure({ kind: 'transient' }));
  channel.failing.send.push(...refusals);
  engine.complete('run_1', 'the first answer');
  await pass();
  await restart();
  await pass(1_000);
  assert.equal(engine.runs.length, 1, 'the second run has not begun');
  await pass(30_000);
  engine.say('run_2', 'the second');
  await pass(2_000);
  assert.deepEqual(
    channel.messages.map(({ text }) => text),
    ['the first answer', 'the second'],
  );
});
