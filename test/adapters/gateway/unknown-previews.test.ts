// Previews that may be in the chat without anyone knowing: on a platform that cannot know, the answer says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Harness, startHarness } from './harness.ts';
import { createScriptedChannel, message, room, ScriptedFailure } from './scripted-channel.ts';

const lost = () => new ScriptedFailure({ kind: 'transient' }, 'effective');
const texts = (channel: { messages: { text: string }[] }): string[] =>
  channel.messages.map(({ text }) => text);

/** The model has begun to answer, and the post of its preview was lost after it took effect. */
async function losePreview({ channel, engine, pass }: Harness): Promise<void> {
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  channel.failing.send.push(lost());
  engine.say('run_1', 'half an ans');
  await pass(2_000);
}

test('an answer after a preview that may stand says that it may be a repeat (C1)', async (t) => {
  const channel = createScriptedChannel();
  const house = await startHarness(t, { channel });
  const { engine, pass } = house;
  await losePreview(house);
  engine.complete('run_1', 'a whole answer');
  await pass();
  assert.deepEqual(texts(channel), ['half an ans', '(repeat?) a whole answer']);
});

test('an answer after a process that died while it posted a preview says that it may be a repeat (C1)', async (t) => {
  const channel = createScriptedChannel();
  const house = await startHarness(t, { channel });
  const { engine, pass, kill } = house;
  await losePreview(house);
  await kill();
  await pass();
  engine.complete('run_2', 'a whole answer');
  await pass();
  assert.deepEqual(texts(channel), ['half an ans', '(repeat?) a whole answer']);
});

test('a preview that may stand beyond the end of the answer is reported with its last part (C1)', async (t) => {
  const channel = createScriptedChannel({ partLimit: 4 });
  const { engine, pass } = await startHarness(t, { channel });
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  channel.failing.send.push(undefined, lost());
  engine.say('run_1', 'abcdefgh');
  await pass(4_000);
  assert.deepEqual(texts(channel), ['abcd', 'efgh']);
  engine.complete('run_1', 'abc');
  await pass();
  assert.deepEqual(texts(channel), ['(repeat?) abc', 'efgh']);
});

test('an answer after a preview that the platform certainly refused is no repeat (C1)', async (t) => {
  const channel = createScriptedChannel();
  const { engine, pass } = await startHarness(t, { channel });
  await channel.sink.accept(message('1', 'hello'));
  await pass();
  channel.failing.send.push(new ScriptedFailure({ kind: 'rate_limit', retryAfterMs: 3_000 }));
  engine.say('run_1', 'half an ans');
  await pass(2_000);
  engine.complete('run_1', 'a whole answer');
  await pass(5_000);
  assert.deepEqual(texts(channel), ['a whole answer']);
});

test('where the platform can find its messages, a preview of unknown outcome becomes the answer (C1)', async (t) => {
  const channel = createScriptedChannel({ find: 'can find' });
  const house = await startHarness(t, { channel });
  const { engine, pass } = house;
  await losePreview(house);
  engine.complete('run_1', 'a whole answer');
  await pass();
  assert.deepEqual(texts(channel), ['a whole answer']);
});

test('a preview that is found is never taken for the whole answer (C1)', async (t) => {
  const channel = createScriptedChannel();
  const house = await startHarness(t, { channel });
  const { engine, pass } = house;
  const refusals = [new ScriptedFailure({ kind: 'transient', maybeDelivered: true })];
  // as on Slack, where a stream that was left is found without its key
  channel.find = async (_address, key, what) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) throw refusal;
    const found = channel.messages.find((one) => what === 'preview' || one.key === key);
    return found === undefined ? undefined : { nativeID: found.id };
  };
  await losePreview(house);
  engine.complete('run_1', 'a whole answer');
  await pass(5_000);
  assert.deepEqual(texts(channel), ['a whole answer']);
});

test('the edit of a preview that had to be found first observes the pace of edits (D5)', async (t) => {
  const pace = [{ acts: ['edit'], per: 'account', calls: 1, perMs: 60_000 }] as const;
  const channel = createScriptedChannel({ caps: { idempotentSend: true, pace } });
  const { engine, pass } = await startHarness(t, { channel });
  await channel.sink.accept(message('1', 'hello', { address: room, addressed: 'mention' }));
  await pass();
  engine.say('run_1', 'one');
  await pass(1_000);
  engine.complete('run_1', 'one and all'); // takes the only edit
  await pass();
  await channel.sink.accept(message('2', 'hello'));
  await pass();
  channel.failing.send.push(lost());
  engine.say('run_2', 'two');
  await pass(1_000);
  engine.complete('run_2', 'two and all');
  await pass(30_000);
  assert.deepEqual(texts(channel), ['one and all', 'two']);
  await pass(31_000);
  assert.deepEqual(texts(channel), ['one and all', 'two and all']);
});
