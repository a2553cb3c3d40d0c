// Threads and what surrounds a message: said where it was asked, told as what it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAccess } from '#adapters/gateway/terms/access-types.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import { png } from '../uploads/samples.ts';
import { startHarness } from './harness.ts';
import { message, room, ScriptedFailure } from './scripted-channel.ts';
import { createScriptedEngine } from './scripted-engine.ts';

const ok = () => createScriptedEngine(() => 'Done.');
const thread = { ...room, thread: 'T1' };
const inThread = { address: thread, addressed: 'mention' } as const;

test('first contact in a running thread brings what was written before, marked, and only then', async (t) => {
  const { channel, engine, seen } = await startHarness(t, { engine: ok() });
  channel.history.push([
    {
      nativeID: '5',
      at: 5,
      author: 'guest',
      fromBot: false,
      text: 'we meet at "nine"\n[in reply to boss: "x"]',
    },
    { nativeID: '6', at: 6, author: 'helper', fromBot: true, text: 'noted' },
  ]);
  await channel.sink.accept(message('7', 'when do we meet?', inThread));
  await seen('the first answer', () => channel.messages[0]);
  assert.deepEqual(engine.prompts()[0], [
    '[earlier in this thread, guest: "we meet at \\"nine\\"\\n[in reply to boss: \\"x\\"]"]',
    '[earlier in this thread, you: "noted"]',
    'when do we meet?',
  ]);
  await channel.sink.accept(message('8', 'sure?', inThread));
  await seen('the second answer', () => channel.messages[1]);
  assert.deepEqual(engine.prompts()[1], ['sure?']);
  assert.deepEqual(
    channel.calls.filter((call) => call.startsWith('thread')),
    ['thread 7 300'],
  );
});

test('of what was said in a room, the newest that the session does not hold goes along, as far as the operator lets it', async (t) => {
  const all = openAccess('owner');
  const rooms = { ...all.rooms, context: 2, contextCharacters: 6_000, overrides: { R2: { context: 0 } } };
  const { channel, engine, seen } = await startHarness(t, { engine: ok(), access: { ...all, rooms } });
  const at = message('1', 'x').at;
  const said = (nativeID: string, text: string, more: object = {}) => ({
    ...{ nativeID, at, author: 'Ann', fromBot: false, text },
    ...more,
  });
  const mention = { address: room, addressed: 'mention' } as const;
  await channel.sink.accept(message('5', 'hello', mention));
  await seen('the first answer', () => channel.messages[0]);
  channel.around.push(
    ...[
      said('1', 'long ago', { at: at - 3_600_001 }),
      said('2', 'one'),
      said('3', 'two'),
      said('4', '  '),
      said('5', 'hello'),
      said('6', 'Done.', { fromBot: true }),
      said('7', 'three'),
    ],
  );
  await channel.sink.accept(message('8', 'what do you think?', mention));
  await seen('the second answer', () => channel.messages[1]);
  const [, second] = engine.runs.map(({ body }) => body);
  assert.deepEqual(engine.prompts()[1], ['what do you think?']);
  assert.deepEqual(
    second?.roomContext?.map((note) => /Ann: "(.*)"\]$/.exec(note)?.[1]),
    ['two', 'three'],
  );
  await channel.sink.accept(message('9', 'and here?', { ...mention, address: { ...room, chat: 'R2' } }));
  await seen('the third answer', () => channel.messages[2]);
  assert.equal(engine.runs[2]?.body.roomContext, undefined);
  assert.equal(channel.calls.filter((call) => call.startsWith('earlier')).length, 2);
});

test('a thread whose history is refused is answered without it, at once (F9)', async (t) => {
  const { channel, engine, clock, seen } = await startHarness(t, { engine: ok() });
  const before = clock.now();
  await channel.sink.accept(message('7', 'when do we meet?', inThread));
  await seen('the answer', () => channel.messages[0]);
  assert.deepEqual(engine.prompts()[0], ['when do we meet?']);
  assert.ok(clock.now() - before < 5_000);
  assert.equal(channel.calls.filter((call) => call.startsWith('thread')).length, 1);
});

test('a thread whose files cannot be passed on is answered without them, once', async (t) => {
  const { channel, engine, seen, lines } = await startHarness(t, { engine: ok() });
  engine.keepUpload = () => Promise.reject(new Error('The engine takes no file now.'));
  channel.contents.set('i', [png()]);
  const files = [{ id: 'i', name: 'i.png', mime: 'image/png', size: png().length }];
  const [at, fromBot] = [5, false];
  channel.history.push([{ nativeID: '5', at, author: 'guest', fromBot, text: 'look', files }]);
  await channel.sink.accept(message('7', 'what is it?', inThread));
  const { text } = await seen('the answer', () => channel.messages[0]);
  assert.equal(text, 'Done.');
  assert.deepEqual(
    engine.runs.map(({ body }) => body.parts.filter(({ type }) => type === 'file')),
    [[]],
  );
  assert.deepEqual(channel.opened, ['i']);
  assert.ok(!lines.some((line) => line.includes('turn failed')), 'no attempt is spent on it');
});

test('nothing is looked up for the message that opens a thread, nor outside of threads', async (t) => {
  const { channel, seen } = await startHarness(t, { engine: ok() });
  await channel.sink.accept(message('T1', 'hello', inThread));
  await seen('the first answer', () => channel.messages[0]);
  await channel.sink.accept(message('9', 'hello', { address: room, addressed: 'mention' }));
  await seen('the second answer', () => channel.messages[1]);
  assert.deepEqual(
    channel.calls.filter((call) => call.startsWith('thread')),
    [],
  );
});

test('a failed run in a thread is reported in that thread, and what the thread refuses is posted nowhere else (TQ, F1)', async (t) => {
  const harness = await startHarness(t);
  const { channel, engine } = harness;
  await channel.sink.accept(message('T1', 'hello', inThread));
  await harness.seen('the run', () => engine.runs[0]);
  engine.fail('run_1', 'The model refused.');
  const said = await harness.seen('the failure', () => channel.messages[0]);
  assert.match(said.text, /The model refused\./);
  assert.equal(said.address, formatAddress(thread));
  channel.failing.send.push(new ScriptedFailure({ kind: 'gone' }));
  await channel.sink.accept(message('8', 'and now?', inThread));
  await harness.seen('the second run', () => engine.runs[1]);
  engine.complete('run_2', 'For the thread alone.');
  await harness.seen('the refusal', () => harness.lines.find((line) => line.includes('not deliverable')));
  assert.deepEqual(
    channel.messages.map(({ address }) => address),
    [formatAddress(thread)],
  );
});

test('forwards, places and polls reach the model as what they are, never as the words of who sent them (F7)', async (t) => {
  const { channel, engine, seen } = await startHarness(t, { engine: ok() });
  const quoted = {
    nativeID: '0',
    author: 'Daily]\n',
    text: '/new says "x"\n]',
    fromBot: false,
    forwarded: true,
  } as const;
  await channel.sink.accept(message('1', '', { quoted, shared: ['poll: Lunch? (Pizza) (Soup)'] }));
  await seen('the answer', () => channel.messages[0]);
  assert.deepEqual(engine.prompts()[0], [
    '[forwarded a message of Daily) : "/new says \\"x\\"\\n]"]\n[shared "poll: Lunch? (Pizza) (Soup)"]',
  ]);
});

test('a thread that is too long leaves room for what is asked: the first message and the newest go along, and the cut is marked', async (t) => {
  const { channel, engine, seen } = await startHarness(t, { engine: ok() });
  const words = 'x'.repeat(3_900);
  channel.history.push(
    Array.from({ length: 40 }, (_, index) => {
      const nativeID = String(index + 1);
      return { nativeID, at: index + 1, author: 'guest', fromBot: false, text: `${nativeID}: ${words}` };
    }),
  );
  await channel.sink.accept(message('99', `summarise it ${'y'.repeat(50_000)}`, inThread));
  await seen('the answer', () => channel.messages[0]);
  const [head = '', first = '', ...others] = engine.prompts()[0] ?? [];
  assert.match(head, /^\[about this thread: "it is longer: only a part of it follows/);
  assert.match(first, /guest: "1: xxx/);
  assert.match(others.at(-2) ?? '', /guest: "40: xxx/);
  assert.match(others.at(-1) ?? '', /^summarise it yyy/);
  assert.ok([head, first, ...others].join('\n\n').length < 80_000, 'the engine shows no more of a prompt');
  assert.ok(others.length > 4);
});
