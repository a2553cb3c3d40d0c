// Drafts for an answer in progress: shown in private chats, renewed before they fade, gone with the answer.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { Channel, StreamingSurface } from '#adapters/gateway/terms/channel.ts';
import { createDrafts } from '#adapters/telegram/live.ts';
import { renderTelegram } from '#adapters/text/telegram.ts';
import { msUntil } from '#base/clock.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createBench } from './bench.ts';

const room: Address = {
  platform: 'telegram',
  account: '7000000001',
  chat: '-1001000000001',
  kind: 'group',
};

function surface(
  channel: Channel,
  over: { address: Address; key?: string; stopped?: () => void },
): StreamingSurface | undefined {
  const messages = { intend: () => assert.fail('a draft is no message'), posted: () => assert.fail() };
  return channel.live?.({ actor: '5000000001', key: 'p1', messages, stopped: () => {}, ...over });
}

async function stage(t: TestContext) {
  const clock = createManualClock();
  const bench = await createBench(t, { clock, channelClock: clock });
  const { sandbox, channel } = bench;
  const address: Address = {
    platform: 'telegram',
    account: '7000000001',
    chat: sandbox.userID('you'),
    kind: 'dm',
  };
  const open = (over: Partial<Parameters<typeof surface>[1]> = {}): StreamingSurface =>
    surface(channel, { address, ...over }) ?? assert.fail('there is a draft for this chat');
  const draft = () => sandbox.draft('dm', 'you')?.text;
  const texts = () => sandbox.shown('dm', 'you').map(({ text }) => text);
  const calls = () => sandbox.calls().map(({ name }) => name);
  return { ...bench, clock, address, open, draft, texts, calls };
}

test('a draft shows the answer so far as it will be sent, and is no message', async (t) => {
  const { open, draft, texts, sandbox } = await stage(t);
  const live = open();
  assert.equal(await live.update('It is'), 'shown');
  assert.equal(await live.update('It is **sun'), 'shown');
  assert.equal(draft(), 'It is sun');
  assert.deepEqual(sandbox.draft('dm', 'you')?.blocks, [
    {
      kind: 'paragraph',
      runs: [
        { text: 'It is ', styles: [] },
        { text: 'sun', styles: ['bold'] },
      ],
    },
  ]);
  assert.deepEqual(texts(), []);
});

test('a draft wants to be renewed before it fades, stands while it is, and fades when it is not', async (t) => {
  const { open, draft, clock } = await stage(t);
  const live = open();
  assert.equal(live.renewAt(), undefined);
  await live.update('one');
  for (let times = 0; times < 3; times += 1) {
    const due = live.renewAt() ?? assert.fail('it wants to be renewed');
    const left = msUntil(clock, due);
    assert.ok(left > 0 && left < 30_000, `${left} ms`);
    await clock.advance(left);
    assert.equal(draft(), 'one');
    assert.equal(await live.update('one'), 'shown');
  }
  await clock.advance(30_000);
  assert.equal(draft(), undefined);
});

test('a draft is gone when the answer is sent', async (t) => {
  const { open, draft, texts, channel, address } = await stage(t);
  await open().update('half an ans');
  const [part] = channel.render('a whole answer');
  assert.ok(part);
  await channel.send(address, part, { key: 'k' });
  assert.deepEqual([draft(), texts()], [undefined, ['a whole answer']]);
});

test('drafts are for private chats: in a group none is asked for, and Telegram would refuse it', async (t) => {
  const { channel, calls, again } = await stage(t);
  assert.equal(surface(channel, { address: room }), undefined);
  assert.deepEqual(calls(), []);
  const mistaken = surface(again(), { address: { ...room, kind: 'dm' } });
  assert.equal(await mistaken?.update('one'), 'refused');
});

test('a chat without drafts is asked once, and other chats all the same', async (t) => {
  const { channel, open, draft } = await stage(t);
  const wrong = { ...room, kind: 'dm' } as const;
  assert.equal(await surface(channel, { address: wrong })?.update('one'), 'refused');
  assert.equal(surface(channel, { address: wrong }), undefined);
  await open().update('two');
  assert.equal(draft(), 'two');
});

test('an answer that is longer than a message is left to messages, and the next one has a draft', async (t) => {
  const { open, calls, draft } = await stage(t);
  assert.equal(await open().update('word '.repeat(2000)), 'refused');
  assert.deepEqual(calls(), []);
  await open({ key: 'p2' }).update('short');
  assert.equal(draft(), 'short');
});

test('a server that knows no drafts is asked once for all chats', async (t) => {
  const { again, sandbox } = await stage(t);
  // An older Bot API server answers 404 for a method that it does not know, as this path does.
  const channel = again({ apiUrl: `${sandbox.url}/old` });
  const address = { ...room, chat: sandbox.userID('you'), kind: 'dm' } as const;
  assert.equal(await surface(channel, { address })?.update('one'), 'refused');
  assert.equal(surface(channel, { address: { ...address, chat: sandbox.userID('guest') } }), undefined);
});

test('a rate limit on a draft is thrown with its time, and the draft continues after it (D4, TR)', async (t) => {
  const { open, draft, channel, sandbox } = await stage(t);
  const live = open();
  sandbox.inject({ kind: 'rate_limit', target: 'edit', times: 1, retryAfterMs: 7_000 });
  const failure = await live.update('one').then(() => assert.fail('it worked'), channel.explain);
  assert.partialDeepStrictEqual(failure, { kind: 'rate_limit', retryAfterMs: 7_000, maybeDelivered: false });
  assert.equal(await live.update('one'), 'shown');
  assert.equal(draft(), 'one');
});

test('the stop button of a draft is noticed at once, and stops this answer alone (D10)', async (t) => {
  const { open, draft, sandbox, start, clock, sink } = await stage(t);
  const stops: string[] = [];
  const earlier = open({ key: 'p0', stopped: () => stops.push('earlier') });
  await earlier.update('earlier');
  const live = open({ stopped: () => stops.push('now') });
  await live.update('one');
  start();
  sandbox.stopDraft('you');
  assert.equal(draft(), 'one', 'it stays until the message comes');
  for (let rounds = 0; stops.length === 0 && rounds < 4000; rounds += 1) await clock.advance(1);
  assert.deepEqual(stops, ['now']);
  assert.equal(await live.update('one two'), 'stopped by user');
  assert.equal(await earlier.update('continues'), 'shown');
  assert.deepEqual(sink.events, []);
  assert.throws(() => sandbox.stopDraft('guest'), /No draft with a stop button/);
});

test('a draft that is closed hears no stop any more, and leaves that of a second attempt alone', async () => {
  const numbers: number[] = [];
  const api = { sendMessageDraft: async (_chat: number, draft: number) => void numbers.push(draft) };
  // the one method of the client that drafts call
  const client = { api } as unknown as Parameters<typeof createDrafts>[0]['client'];
  const drafts = createDrafts({ client, clock: createManualClock(), render: renderTelegram });
  const address: Address = { platform: 'telegram', account: '7', chat: '5', kind: 'dm' };
  const stops: string[] = [];
  const openAs = (name: string): StreamingSurface =>
    drafts.live({
      address,
      actor: '5',
      key: 'p1',
      messages: { intend: async () => 'p1', posted: async () => {} },
      stopped: () => void stops.push(name),
    }) ?? assert.fail('there is a draft for this chat');
  const first = openAs('first');
  await first.update('one');
  const second = openAs('second');
  first.close?.();
  drafts.stopped(numbers[0] ?? 0);
  second.close?.();
  drafts.stopped(numbers[0] ?? 0);
  assert.deepEqual(stops, ['second']);
});
