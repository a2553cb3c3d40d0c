// What people do to messages that were written: change them, take them back, say them twice or long ago, in chats that move.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { EditEvent } from '#adapters/gateway/terms/inbound.ts';
import { startHarness } from './harness.ts';
import { dm, message, room } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const you = { id: 'u1', name: 'you', isBot: false };
const edit = (nativeID: string, text: string): EditEvent => ({
  type: 'edit',
  address: dm,
  nativeID,
  at: 1,
  actor: you,
  text,
});
const remove = (nativeID: string) => ({ type: 'delete', address: dm, nativeID, at: 1 }) as const;
const echo = () => createScriptedEngine((texts) => `on ${texts.join(' + ')}`);

/** Lets every commit that moves the cursor fail at its last step, until the returned function is called. */
function refuseCursors(path: string): () => void {
  const other = new Database(path);
  other.exec("CREATE TRIGGER refuse BEFORE INSERT ON cursors BEGIN SELECT RAISE(ABORT, 'refused'); END");
  return () => {
    other.exec('DROP TRIGGER refuse');
    other.close();
  };
}

const cursor = { name: 'updates', value: '41' };

test('whether a message is known is decided in the commit: one that could not be stored is no duplicate (A12)', async (t) => {
  const { channel, engine, path, pass } = await startHarness(t);
  const twice = () =>
    Promise.allSettled([
      channel.sink.accept(message('1', 'hello'), cursor),
      channel.sink.accept(message('1', 'hello'), cursor),
    ]);
  const release = refuseCursors(path);
  assert.deepEqual(
    (await twice()).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await pass();
  release();
  assert.deepEqual(
    (await twice()).map((outcome) => outcome.status === 'fulfilled' && outcome.value),
    ['accepted', 'duplicate'],
  );
  await pass();
  assert.deepEqual(engine.prompts(), [['hello']]);
});

test('the sign that a message waits comes only once it is committed (B2)', async (t) => {
  const { channel, path, pass } = await startHarness(t);
  await channel.sink.accept(message('1', 'first'));
  await pass();
  const release = refuseCursors(path);
  await assert.rejects(channel.sink.accept(message('2', 'second'), cursor), /refused/);
  await pass();
  assert.deepEqual(channel.reactions, []);
  release();
  assert.equal(await channel.sink.accept(message('2', 'second'), cursor), 'accepted');
  assert.deepEqual(channel.reactions, ['2 👀']);
});

test('a message is committed before the platform gets its acknowledgement, with its place in the stream', async (t) => {
  const { channel, path } = await startHarness(t);
  await channel.sink.accept(message('7', 'hello'), { name: 'updates', value: '41' });
  const file = new Database(path, { readonly: true });
  t.after(() => file.close());
  assert.deepEqual(file.prepare('SELECT native_id, value FROM inbox, cursors').all(), [
    { native_id: '7', value: '41' },
  ]);
});

test('a change before the run starts is what the model gets, one after it is reported with the next message, once (A11)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: echo() });
  await channel.sink.accept(message('1', 'teh question'));
  await channel.sink.accept(edit('1', 'the question'));
  await pass();
  assert.equal(await channel.sink.accept(edit('1', 'the qestion?')), 'accepted');
  assert.equal(await channel.sink.accept(edit('1', 'the question?')), 'accepted');
  await pass();
  assert.equal(engine.runs.length, 1, 'a change starts nothing');
  await channel.sink.accept(message('2', 'next'));
  await pass();
  await channel.sink.accept(message('3', 'last'));
  await pass();
  assert.deepEqual(engine.prompts(), [
    ['the question'],
    ['[correction: you changed an earlier message, which is above as it is now]', 'next'],
    ['last'],
  ]);
});

test('a change that is undone is not reported; a second change is compared with what was reported before (A11)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: echo() });
  const say = async (id: string): Promise<void> => {
    await channel.sink.accept(message(id, 'next'));
    await pass();
  };
  await channel.sink.accept(message('1', 'one'));
  await pass();
  await channel.sink.accept(edit('1', 'two'));
  await channel.sink.accept(edit('1', 'one'));
  await say('2');
  await channel.sink.accept(edit('1', 'two'));
  await say('3');
  assert.equal(await channel.sink.accept(edit('1', 'two')), 'ignored');
  await channel.sink.accept(edit('1', 'three'));
  await say('4');
  const note = '[correction: you changed an earlier message, which is above as it is now]';
  assert.deepEqual(engine.prompts().slice(1), [['next'], [note, 'next'], [note, 'next']]);
});

test('a change is still reported after a restart, and not in a new conversation (A11)', async (t) => {
  const { channel, engine, pass, restart } = await startHarness(t, { engine: echo() });
  await channel.sink.accept(message('1', 'one'));
  await pass();
  await channel.sink.accept(edit('1', 'two'));
  await restart();
  await channel.sink.accept(message('2', 'next'));
  await pass();
  assert.match(engine.prompts()[1]?.[0] ?? '', /changed an earlier message/);
  await channel.sink.accept(edit('2', 'changed'));
  await channel.sink.accept(message('3', '/new'));
  await pass();
  await channel.sink.accept(edit('2', 'changed again'));
  await channel.sink.accept(message('4', 'fresh'));
  await pass();
  assert.deepEqual(engine.prompts()[2], ['fresh']);
});

test('a message deleted before the run is not answered, the others of its burst are; later it is forgotten', async (t) => {
  const { channel, engine, pass, restart } = await startHarness(t, { engine: echo() });
  await channel.sink.accept(message('1', 'a'));
  await channel.sink.accept(message('2', 'never mind'));
  await channel.sink.accept(message('3', 'c'));
  assert.equal(await channel.sink.accept(remove('2')), 'accepted');
  await pass();
  assert.equal(await channel.sink.accept(remove('1')), 'accepted');
  assert.equal(await channel.sink.accept(remove('1')), 'ignored');
  assert.equal(await channel.sink.accept(message('2', 'never mind')), 'duplicate');
  await restart();
  await pass();
  assert.deepEqual(engine.prompts(), [['a', 'c']]);
  assert.deepEqual(engine.amendments, [
    { runID: engine.runs[0]?.run.runID, nativeID: '1', was: 'a', now: null },
  ]);
  assert.equal(channel.messages.length, 1);
});

test('what was written long before it came in is marked as late, for the model and for the person', async (t) => {
  const { channel, engine, pass, clock } = await startHarness(t, { engine: echo() });
  const at = clock.now() - 3 * 3_600_000;
  await channel.sink.accept(message('1', 'are you there?', { at }));
  await channel.sink.accept(message('2', 'hello?', { at: clock.now() - 4 * 60_000 }));
  await pass();
  assert.deepEqual(engine.prompts(), [
    ['[received late, written at 2026-01-02 00:04 UTC]\nare you there?', 'hello?'],
  ]);
  assert.match(
    channel.messages.map(({ text }) => text).join(''),
    /Your message of Jan 2, 2026, 00:04 UTC only reached me now/,
  );
});

test('a chat that moves during a run keeps its queue, and its answers go to the new chat (F6)', async (t) => {
  const { channel, engine, pass } = await startHarness(t);
  const now = { ...room, space: 'G2', chat: 'C2' };
  const here = { address: room, addressed: 'mention' } as const;
  await channel.sink.accept(message('7', 'first', here));
  await pass();
  engine.say('run_1', 'begun');
  await pass(2_000);
  await channel.sink.accept(message('8', 'second', here));
  await pass();
  await channel.sink.accept({ type: 'moved', from: room, to: now });
  await channel.sink.accept(message('1', 'third', { address: now, addressed: 'mention' }));
  await pass();
  assert.equal(engine.runs.length, 1, 'it is one lane still');
  engine.complete('run_1', 'begun and ended');
  await pass();
  assert.deepEqual(engine.prompts(), [['first'], ['second', 'third']]);
  engine.complete('run_2', 'more');
  await pass();
  assert.deepEqual(
    channel.messages.map(({ address, text }) => [address, text]),
    [
      [formatAddress(room), 'begun'], // what was in the chat that is gone
      [formatAddress(now), 'begun and ended'],
      [formatAddress(now), 'more'],
    ],
  );
  assert.deepEqual(new Set(engine.runs.map(({ run }) => run.sessionID)), new Set(['ses_1']));
});

test('when the new chat is received before the news of the move, the room continues with its first conversation (F6)', async (t) => {
  const { channel, engine, pass } = await startHarness(t, { engine: echo() });
  const now = { ...room, space: 'G2', chat: 'C2' };
  await channel.sink.accept(message('7', 'old', { address: room, addressed: 'mention' }));
  await pass();
  await channel.sink.accept(message('1', 'early', { address: now, addressed: 'mention' }));
  await pass();
  await channel.sink.accept({ type: 'moved', from: room, to: now });
  await channel.sink.accept({ type: 'moved', from: room, to: now });
  await channel.sink.accept(message('2', 'later', { address: now, addressed: 'mention' }));
  await pass();
  assert.deepEqual(
    engine.runs.map(({ run }) => run.sessionID),
    ['ses_1', 'ses_2', 'ses_1'],
  );
});
