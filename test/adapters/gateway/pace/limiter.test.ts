// The limiter on a clock that the test moves: what is held, what is learned from headers, and who goes first.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Urgency } from '#adapters/gateway/pace/allowance.ts';
import { createLimiter, type LimitedCall } from '#adapters/gateway/pace/limiter.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type {
  CallType,
  ChannelCapabilities,
  ChannelFailure,
  DocumentedRate,
} from '#adapters/gateway/terms/channel.ts';
import { clockOf } from '../../../support/clock-of.ts';
import { createManualClock, settle } from '../../../support/manual-clock.ts';

const a: Address = { platform: 'telegram', account: 'bot', chat: 'A', kind: 'dm' };
const b: Address = { ...a, chat: 'B' };
const group: Address = { ...a, chat: 'G', space: 'G', kind: 'group' };
const forever = new AbortController().signal;

const call = (address: Address, act: CallType = 'send', urgency: Urgency = 'final'): LimitedCall => ({
  address,
  act,
  urgency,
});
const limited = (over: Partial<ChannelFailure> = {}): ChannelFailure => ({
  kind: 'rate_limit',
  words: 'wait',
  maybeDelivered: false,
  ...over,
});

function make(caps: Partial<ChannelCapabilities> = {}) {
  const clock = createManualClock();
  return { clock, limiter: createLimiter({ clock, capsOf: () => caps }) };
}

const pace = (calls: number, perMs: number, over: Partial<DocumentedRate> = {}): DocumentedRate => ({
  acts: ['send', 'edit'],
  per: 'chat',
  calls,
  perMs,
  ...over,
});

test('after a refusal nothing goes into that chat before the time is over, and other chats are free (D4)', async () => {
  const { clock, limiter } = make();
  limiter.hold(call(a), limited({ retryAfterMs: 7_000 }));
  for (const act of ['send', 'edit', 'remove', 'live', 'typing', 'react'] as const) {
    assert.equal(limiter.wait(call(a, act)), 7_000, act);
    assert.equal(limiter.wait(call(b, act)), 0, act);
  }
  await clock.advance(6_999);
  assert.equal(limiter.tryTake(call(a)), false);
  await clock.advance(1);
  assert.equal(limiter.tryTake(call(a)), true);
});

test('a shorter refusal never shortens a longer one', async () => {
  const { limiter } = make();
  limiter.hold(call(a), limited({ retryAfterMs: 7_000 }));
  limiter.hold(call(a), limited({ retryAfterMs: 1_000 }));
  assert.equal(limiter.wait(call(a)), 7_000);
});

test('a refusal that names no time, or none that lies ahead, is waited out for a second and not repeated at once (D4)', () => {
  for (const retryAfterMs of [undefined, 0, -5, Number.NaN]) {
    const { limiter } = make();
    limiter.hold(call(a), limited({ retryAfterMs }));
    assert.equal(limiter.wait(call(a)), 1_000, String(retryAfterMs));
  }
});

test('a limit over the whole account holds every chat of it, and no other account', () => {
  const { limiter } = make();
  limiter.hold(call(a), limited({ retryAfterMs: 2_000, wholeAccount: true }));
  assert.equal(limiter.wait(call(b, 'typing', 'sign')), 2_000);
  assert.equal(limiter.wait(call({ ...a, account: 'another' })), 0);
  assert.equal(limiter.wait(call({ ...a, platform: 'slack' })), 0);
});

test('a limit on one kind of call leaves the other kinds in the chat free', () => {
  const { limiter } = make();
  limiter.hold(call(a, 'typing'), limited({ retryAfterMs: 2_000, sameActOnly: true }));
  assert.equal(limiter.wait(call(a, 'typing', 'sign')), 2_000);
  assert.equal(limiter.wait(call(a)), 0);
  limiter.hold(call(a, 'send'), limited({ retryAfterMs: 2_000, sameActOnly: true }));
  assert.equal(limiter.wait(call(a)), 2_000);
  assert.equal(limiter.wait(call(a, 'edit')), 0);
});

test('a limit on one kind of call over the whole account holds that kind in every chat, finals go first when it is over', async () => {
  const { clock, limiter } = make();
  limiter.hold(call(a, 'edit'), limited({ retryAfterMs: 2_000, sameActOnly: true, wholeAccount: true }));
  assert.equal(limiter.wait(call(b, 'edit')), 2_000);
  assert.equal(limiter.wait(call(b)), 0, 'another kind of call');
  const order: string[] = [];
  const waiting = (['preview', 'final'] as const).map((urgency) =>
    limiter.take(call(b, 'edit', urgency), forever).then(() => order.push(urgency)),
  );
  await clock.advance(2_000);
  await Promise.all(waiting);
  assert.deepEqual(order, ['final', 'preview']);
});

test('two steps of answers in progress are as far apart in a chat as its kind asks, whoever makes them; finals are not (D5)', () => {
  const { limiter } = make({ editGapMs: { dm: 3_000, group: 5_000, channel: 5_000 } });
  assert.equal(limiter.tryTake(call(a, 'send', 'preview')), true);
  assert.equal(limiter.wait(call({ ...a, thread: 'T' }, 'edit', 'preview')), 3_000);
  assert.equal(limiter.wait(call(b, 'edit', 'preview')), 0);
  assert.equal(limiter.wait(call(a, 'edit')), 0);
  assert.equal(limiter.tryTake(call(group, 'edit', 'preview')), true);
  assert.equal(limiter.wait(call(group, 'live', 'preview')), 5_000);
});

test('the more chats stream the fewer steps each has: a long budget is spent evenly, and all chats have the same of it (D5)', async () => {
  const pace50 = pace(50, 60_000, { acts: ['edit'], per: 'account' });
  const { clock, limiter } = make({ pace: [pace50], editGapMs: { dm: 3_000, group: 3_000, channel: 3_000 } });
  const ended = new AbortController();
  const steps = new Map<string, number[]>();
  const streams = Array.from({ length: 10 }, async (_, at) => {
    const chat = `chat ${at}`;
    for (steps.set(chat, []); ; steps.get(chat)?.push(clock.now()))
      await limiter.take(call({ ...a, chat }, 'edit', 'preview'), ended.signal);
  });
  const from = clock.now();
  await clock.advance(60_000);
  ended.abort('over');
  await Promise.allSettled(streams);
  const counts = [...steps.values()].map((at) => at.length);
  assert.ok(Math.min(...counts) >= 3 && Math.max(...counts) <= 5, counts.join());
  const all = [...steps.values()].flat().sort((one, other) => one - other);
  assert.ok(all.length <= 41, `${all.length} in a minute`);
  const within = (all[9] ?? 0) - from;
  assert.ok(within >= 13_000, `the first ten took ${within} ms: one and a half seconds apart`);
});

test('a thread is limited with its chat, or alone where the platform does so', () => {
  const thread = { ...group, thread: 'T' };
  const together = make({ pace: [pace(1, 1_000)] }).limiter;
  together.hold(call(thread), limited({ retryAfterMs: 2_000 }));
  assert.equal(together.wait(call(group)), 2_000);
  const single = make({ pace: [pace(1, 1_000)], threadsLimitedAlone: true }).limiter;
  single.hold(call(thread), limited({ retryAfterMs: 2_000 }));
  assert.equal(single.wait(call(group)), 0);
  assert.equal(single.wait(call({ ...thread, thread: 'other' })), 0);
  assert.equal(single.tryTake(call(group)), true);
  assert.equal(single.wait(call({ ...thread, thread: 'other' })), 0, 'nor do its calls count with the chat');
  single.learn('telegram', { place: 'T', act: 'edit', limit: 1, remaining: 0, resetAfterMs: 500 });
  assert.equal(single.wait(call(thread, 'edit')), 2_000);
  assert.equal(single.wait(call(group, 'edit')), 1_000, 'the headers were the thread’s');
});

test('sends and edits of a chat count together, previews leave a reserve, and a final fits into it (D5)', () => {
  const { limiter } = make({ pace: [pace(5, 5_000)] });
  let taken = 0;
  while (limiter.tryTake(call(a, 'edit', 'preview'))) taken += 1;
  assert.equal(taken, 4);
  assert.equal(limiter.wait(call(a, 'send', 'sign')), 5_000);
  assert.equal(limiter.tryTake(call(a)), true);
  assert.equal(limiter.wait(call(a)), 5_000);
  assert.equal(limiter.tryTake(call(b, 'edit', 'preview')), true);
});

test('a pace counts only its own acts and kinds of chat, and over the account where it says so', () => {
  const { limiter } = make({
    pace: [
      pace(1, 1_000, { acts: ['edit'], kinds: ['group'] }),
      pace(2, 9_000, { acts: ['remove'], per: 'account' }),
    ],
  });
  for (const one of [a, group]) assert.equal(limiter.tryTake(call(one, 'send')), true);
  for (const one of [a, a, group]) assert.equal(limiter.tryTake(call(one, 'edit')), true);
  assert.equal(limiter.wait(call(group, 'edit')), 1_000);
  for (const one of [a, b]) assert.equal(limiter.tryTake(call(one, 'remove')), true);
  assert.equal(limiter.wait(call(group, 'remove')), 9_000);
});

test('headers: what is left is spent by every call, previews stop at the reserve, and the reset frees all', async () => {
  const { clock, limiter } = make();
  limiter.learn('telegram', { place: 'A', act: 'edit', limit: 5, remaining: 3, resetAfterMs: 2_000 });
  const preview = call(a, 'edit', 'preview');
  assert.equal(limiter.tryTake(preview), true);
  assert.equal(limiter.tryTake(preview), true);
  assert.equal(limiter.wait(preview), 2_000, 'the last one is for finals');
  assert.equal(limiter.wait(call(a, 'send', 'preview')), 0, 'another bucket');
  assert.equal(limiter.wait(call(b, 'edit', 'preview')), 0, 'another chat');
  assert.equal(limiter.tryTake(call(a, 'edit')), true);
  assert.equal(limiter.wait(call(a, 'edit')), 2_000);
  await clock.advance(2_000);
  assert.equal(limiter.wait(preview), 0);
});

test('headers: an answer that comes late gives nothing back, a new period does', async () => {
  const { clock, limiter } = make();
  const budget = { place: 'A', act: 'send', limit: 5 } as const;
  limiter.learn('telegram', { ...budget, remaining: 2, resetAfterMs: 2_000 });
  limiter.tryTake(call(a));
  limiter.tryTake(call(a));
  await clock.advance(100);
  limiter.learn('telegram', { ...budget, remaining: 1, resetAfterMs: 1_900 });
  assert.equal(limiter.wait(call(a)), 1_900, 'the second call is on its way');
  limiter.learn('telegram', { ...budget, remaining: 4, resetAfterMs: 5_000 });
  assert.equal(limiter.wait(call(a)), 0);
});

test('headers: after the reset no more go out at once than the bucket holds, although no answer has come yet', async () => {
  const { clock, limiter } = make();
  limiter.learn('telegram', { place: 'A', act: 'send', limit: 2, remaining: 0, resetAfterMs: 1_000 });
  await clock.advance(1_000);
  assert.equal(limiter.tryTake(call(a)), true);
  assert.equal(limiter.tryTake(call(a)), true);
  assert.equal(limiter.wait(call(a)), 1_000);
});

test('who waits goes as soon as headers say that there is room after all', async () => {
  const { limiter } = make();
  const budget = { place: 'A', act: 'send', limit: 5 } as const;
  limiter.learn('telegram', { ...budget, remaining: 0, resetAfterMs: 60_000 });
  const gone: string[] = [];
  const waiting = limiter.take(call(a), forever).then(() => gone.push('a'));
  await settle();
  assert.deepEqual(gone, []);
  limiter.learn('telegram', { ...budget, remaining: 4, resetAfterMs: 90_000 });
  await waiting;
  assert.deepEqual(gone, ['a']);
});

test('finals go before previews that came first, and equals in the order in which they came', async () => {
  const { clock, limiter } = make({ pace: [pace(1, 1_000)] });
  const order: string[] = [];
  const wait = (name: string, urgency: Urgency, act: CallType = 'send'): void => {
    limiter.take(call(a, act, urgency), forever).then(
      () => order.push(name),
      () => order.push(`${name} failed`),
    );
  };
  limiter.tryTake(call(a));
  wait('preview 1', 'preview', 'edit');
  wait('final 1', 'final');
  wait('preview 2', 'preview');
  wait('final 2', 'final', 'edit');
  wait('final 3', 'final');
  for (let second = 1; second <= 5; second += 1) {
    await clock.advance(1_000);
    assert.equal(order.length, second, `one a second: ${order.join(', ')}`);
  }
  assert.deepEqual(order, ['final 1', 'final 2', 'final 3', 'preview 1', 'preview 2']);
});

test('nobody overtakes one whose wait is just over', async () => {
  const clock = createManualClock();
  let asleep = true;
  // a timer that fires late, as every timer does
  const late = clockOf(() => clock.now() + (asleep ? 0 : 5), clock.sleep);
  const limiter = createLimiter({ clock: late, capsOf: () => ({ pace: [pace(1, 1_000)] }) });
  const order: string[] = [];
  limiter.tryTake(call(a));
  const first = limiter.take(call(a, 'send', 'preview'), forever).then(() => order.push('first'));
  await clock.advance(999);
  asleep = false;
  assert.equal(limiter.tryTake(call(a, 'send', 'sign')), false);
  await first;
  assert.deepEqual(order, ['first']);
});

test('who gives up takes nothing, and leaves no timer', async () => {
  const { clock, limiter } = make({ pace: [pace(1, 1_000)] });
  limiter.tryTake(call(a));
  const over = new AbortController();
  const waiting = limiter.take(call(a), over.signal);
  assert.equal(clock.sleeping(), 1);
  over.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  await settle();
  assert.equal(clock.sleeping(), 0);
  await assert.rejects(limiter.take(call(b), over.signal), /enough/);
  await clock.advance(1_000);
  assert.equal(limiter.tryTake(call(a)), true);
});

test('a wait of many days is slept in pieces that a timer can hold', async () => {
  const { clock, limiter } = make();
  limiter.hold(call(a), limited({ retryAfterMs: 90 * 24 * 3_600_000 }));
  const naps: number[] = [];
  const { sleep } = clock;
  clock.sleep = (ms, signal) => {
    naps.push(ms);
    return sleep(ms, signal);
  };
  const over = new AbortController();
  const waiting = limiter.take(call(a), over.signal);
  await clock.advance(3 * 3_600_000);
  assert.ok(naps.length > 1 && naps.every((ms) => ms < 2 ** 31 && ms > 60_000), naps.join(', '));
  over.abort();
  await assert.rejects(waiting);
});
