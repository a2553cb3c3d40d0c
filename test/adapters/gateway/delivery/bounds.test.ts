// What the delivery remembers is bounded: what no longer counts is forgotten, and what still counts never is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isIdempotent } from '#adapters/gateway/delivery/instead.ts';
import { createLimiter } from '#adapters/gateway/pace/limiter.ts';
import { createPriorityQueue } from '#adapters/gateway/pace/priority-queue.ts';
import { createSlidingWindows } from '#adapters/gateway/pace/sliding-windows.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { createManualClock, settle } from '../../../support/manual-clock.ts';
import { createScriptedChannel } from '../scripted-channel.ts';

const chat = (name: string): Address => ({ platform: 'telegram', account: 'bot', chat: name, kind: 'dm' });
const many = 10_001;

test('of ten thousand windows those that are empty are forgotten, and no call that counts', async () => {
  const clock = createManualClock();
  const windows = createSlidingWindows(clock);
  windows.count('over', 100);
  await clock.advance(100);
  windows.count('counts', 1_000);
  for (let at = 0; at < many; at += 1) windows.count(`chat ${at}`, 1_000);
  assert.equal(windows.wait('counts', { calls: 1, perMs: 1_000 }), 1_000);
  assert.equal(windows.wait('chat 0', { calls: 1, perMs: 1_000 }), 1_000);
  assert.equal(windows.wait('over', { calls: 1, perMs: 100 }), 0);
});

test('of ten thousand refusals those that are over are forgotten, and none that holds', async () => {
  const clock = createManualClock();
  const limiter = createLimiter({ clock, capsOf: () => ({}) });
  const hold = (name: string, retryAfterMs: number): void =>
    limiter.hold(
      { address: chat(name), act: 'send' },
      { kind: 'rate_limit', words: '', maybeDelivered: false, retryAfterMs },
    );
  const wait = (name: string): number => limiter.wait({ address: chat(name), act: 'send', urgency: 'final' });
  hold('long', 60_000);
  hold('short', 1_000);
  await clock.advance(1_000);
  for (let at = 0; at < many; at += 1) hold(`chat ${at}`, 5_000);
  assert.deepEqual(['long', 'short', 'chat 0', `chat ${many - 1}`].map(wait), [59_000, 0, 5_000, 5_000]);
});

test('of ten thousand buckets those whose period is over are forgotten, and none that is spent', async () => {
  const clock = createManualClock();
  const limiter = createLimiter({
    clock,
    capsOf: () => ({ headerLimits: true }) as never, // as a platform that states its limits in headers
  });
  const learn = (place: string, remaining: number, resetAfterMs: number): void =>
    limiter.learn('discord', { place, act: 'send', limit: 5, remaining, resetAfterMs });
  const wait = (name: string): number =>
    limiter.wait({ address: { ...chat(name), platform: 'discord' }, act: 'send', urgency: 'final' });
  learn('spent', 0, 60_000);
  for (let at = 0; at < many; at += 1) learn(`chat ${at}`, 0, 5_000);
  const spent = wait('spent');
  await clock.advance(5_000);
  learn('last', 5, 5_000);
  assert.equal(wait('spent'), Math.max(0, spent - 5_000));
  assert.equal(wait('chat 0'), 0);
});

test('nobody in line holds a timer, and one who leaves a line of two leaves the other’s', async () => {
  const clock = createManualClock();
  let free = false;
  const gone: string[] = [];
  const line = createPriorityQueue<string>({
    clock,
    rankOf: () => 1,
    waitOf: () => (free ? 0 : 100),
    go: (caller) => gone.push(caller),
  });
  const [first, second] = [new AbortController(), new AbortController()];
  const joined = [line.join('first', first.signal), line.join('second', second.signal)];
  for (const one of joined) one.catch(() => {});
  assert.equal(clock.sleeping(), 1);
  first.abort(new Error('left'));
  await settle();
  assert.equal(clock.sleeping(), 1);
  free = true;
  await clock.advance(100);
  await joined[1];
  assert.deepEqual([gone, clock.sleeping()], [['second'], 0]);
  free = false;
  const third = new AbortController();
  const last = line.join('third', third.signal);
  third.abort(new Error('left'));
  await assert.rejects(last, { message: 'left' });
  await settle();
  assert.equal(clock.sleeping(), 0);
  assert.deepEqual(gone, ['second']);
});

test('a send is repeated under its key only while the platform still knows the key', () => {
  const { caps, ...channel } = createScriptedChannel();
  const repeats = (agoMs: number, more: object) =>
    isIdempotent({ text: 'one' } as never, { ...channel, caps: { ...caps, ...more } }, agoMs); // any part of words
  const keyed = { idempotentSend: true, idempotentForMs: 60_000 };
  assert.deepEqual(
    [0, 59_999, 60_000].map((agoMs) => repeats(agoMs, keyed)),
    [true, true, false],
  );
  assert.equal(repeats(1e12, { idempotentSend: true, idempotentForMs: undefined }), true);
  assert.equal(repeats(0, { idempotentSend: false }), false);
});
