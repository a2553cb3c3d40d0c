// What the limiter upholds under any sequence of calls: windows, order, the reserve of finals, and each chat for itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allowance, type Urgency } from '#adapters/gateway/pace/allowance.ts';
import { createLimiter, type LimitedCall } from '#adapters/gateway/pace/limiter.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { CallType, DocumentedRate } from '#adapters/gateway/terms/channel.ts';
import { clockOf } from '../../../support/clock-of.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

interface Step {
  gapMs: number;
  call: LimitedCall;
}

interface Gone {
  call: LimitedCall;
  cameAt: number;
  at: number;
  /** Number in the order of arrival. */
  came: number;
}

const acts = ['send', 'edit'] as const satisfies readonly CallType[];
const urgencies = ['final', 'preview', 'sign'] as const satisfies readonly Urgency[];
const chats: readonly Address[] = [
  { platform: 'telegram', account: 'bot', chat: 'A', kind: 'dm' },
  { platform: 'telegram', account: 'bot', chat: 'B', kind: 'dm' },
  { platform: 'telegram', account: 'bot', chat: 'G', space: 'G', kind: 'group' },
];

const callOf = fc.record({
  address: fc.constantFrom(...chats),
  act: fc.constantFrom(...acts),
  urgency: fc.constantFrom(...urgencies),
});
const paceOf = (least: number): fc.Arbitrary<DocumentedRate> =>
  fc.record({
    acts: fc.constant(acts),
    per: fc.constantFrom('chat', 'account'),
    calls: fc.integer({ min: least, max: 6 }),
    perMs: fc.integer({ min: 100, max: 3_000 }),
    kinds: fc.constantFrom(undefined, ['group'] as const),
  });
const pacesOf = (least = 1): fc.Arbitrary<DocumentedRate[]> =>
  fc.array(paceOf(least), { minLength: 1, maxLength: 3 });
const stepsOf = (most: number): fc.Arbitrary<Step[]> =>
  fc.array(fc.record({ gapMs: fc.integer({ min: 0, max: 400 }), call: callOf }), { maxLength: most });

const counts = (pace: DocumentedRate, { address, act }: LimitedCall): boolean =>
  pace.acts.includes(act) && pace.kinds?.includes(address.kind) !== false;
const shares = (pace: DocumentedRate, one: LimitedCall, other: LimitedCall): boolean =>
  counts(pace, one) && counts(pace, other) && (pace.per === 'account' || one.address === other.address);

/** Fails when any window of a pace holds more calls than it may, or a call that had to leave a reserve did not. */
function keepsWindows(paces: readonly DocumentedRate[], gone: readonly Gone[]): void {
  for (const pace of paces) {
    for (const [index, last] of gone.entries()) {
      const within = gone
        .slice(0, index + 1)
        .filter((one) => shares(pace, one.call, last.call) && one.at > last.at - pace.perMs);
      const most = allowance(pace.calls, last.call.urgency);
      assert.ok(
        within.length <= most,
        `${within.length} calls within ${pace.perMs} ms, at most ${most} as ${last.call.urgency}`,
      );
    }
  }
}

/** Lets every step wait for its turn; what went, in the order in which it went. */
async function serveAll(paces: readonly DocumentedRate[], steps: readonly Step[]): Promise<Gone[]> {
  const clock = createManualClock();
  const limiter = createLimiter({ clock, capsOf: () => ({ pace: paces }) });
  const gone: Gone[] = [];
  const signal = new AbortController().signal;
  const waiting: Promise<void>[] = [];
  for (const [came, { gapMs, call }] of steps.entries()) {
    await clock.advance(gapMs);
    const cameAt = clock.now();
    waiting.push(
      limiter.take(call, signal).then(() => void gone.push({ call, cameAt, at: clock.now(), came })),
    );
  }
  const longest = Math.max(...paces.map(({ perMs }) => perMs));
  for (let round = 0; gone.length < steps.length && round < steps.length; round += 1)
    await clock.advance(longest);
  assert.equal(gone.length, steps.length, 'everyone goes in the end');
  await Promise.all(waiting);
  return gone;
}

test('no window is ever exceeded, whoever asks and whether or not they wait (D4, D5)', async () => {
  await fc.assert(
    fc.asyncProperty(pacesOf(), stepsOf(60), async (paces, steps) => {
      let now = 0;
      const clock = clockOf(() => now, createManualClock().sleep);
      const limiter = createLimiter({ clock, capsOf: () => ({ pace: paces }) });
      const gone: Gone[] = [];
      for (const [came, { gapMs, call }] of steps.entries()) {
        now += gapMs;
        const free = limiter.wait(call) === 0;
        assert.equal(limiter.tryTake(call), free);
        if (free) gone.push({ call, cameAt: now, at: now, came });
        else {
          now += limiter.wait(call) - 1;
          assert.equal(limiter.wait(call), 1, 'the wait that is named is needed');
          now += 1;
          assert.equal(limiter.wait(call), 0, 'and enough');
        }
      }
      keepsWindows(paces, gone);
    }),
  );
  await fc.assert(
    fc.asyncProperty(pacesOf(), stepsOf(25), async (paces, steps) => {
      keepsWindows(paces, await serveAll(paces, steps));
    }),
    { numRuns: 40 },
  );
});

test('waiting calls of one chat and one urgency are served in the order in which they came', async () => {
  await fc.assert(
    fc.asyncProperty(pacesOf(), stepsOf(25), async (paces, steps) => {
      const gone = await serveAll(paces, steps);
      for (const address of chats) {
        for (const urgency of urgencies) {
          const order = gone
            .filter(({ call }) => call.address === address && call.urgency === urgency)
            .map(({ came }) => came);
          assert.deepEqual(
            order,
            [...order].sort((one, other) => one - other),
          );
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('while a final waits, no preview and no sign takes what it waits for (D5)', async () => {
  await fc.assert(
    fc.asyncProperty(pacesOf(), stepsOf(25), async (paces, steps) => {
      const gone = await serveAll(paces, steps);
      for (const [index, final] of gone.entries()) {
        if (final.call.urgency !== 'final') continue;
        const own = paces.filter((pace) => counts(pace, final.call));
        const overtook = gone
          .slice(0, index)
          .filter(
            (one) =>
              one.call.urgency !== 'final' &&
              one.at > final.cameAt &&
              own.every((pace) => shares(pace, one.call, final.call)),
          );
        assert.deepEqual(overtook, [], 'went although a final waited that shares all its windows');
      }
    }),
    { numRuns: 60 },
  );
});

test('whatever previews and indicators have spent, the first final in a while goes at once (D5)', async () => {
  await fc.assert(
    fc.asyncProperty(pacesOf(2), stepsOf(25), async (paces, steps) => {
      const gone = await serveAll(paces, steps);
      const longest = Math.max(...paces.map(({ perMs }) => perMs));
      const finals = gone.filter(({ call }) => call.urgency === 'final');
      for (const one of finals) {
        const single = finals.every(
          (other) => other === one || other.came > one.came || other.at <= one.cameAt - longest,
        );
        if (single) assert.equal(one.at, one.cameAt);
      }
    }),
    { numRuns: 60 },
  );
});

test('a refusal in one chat changes the wait of no other, and its own chat is silent until it is over (D4)', () => {
  const refusal = fc.record({
    address: fc.constantFrom(...chats),
    act: fc.constantFrom(...acts),
    retryAfterMs: fc.integer({ min: 1, max: 5_000 }),
    sameActOnly: fc.boolean(),
  });
  const event = fc.oneof(
    stepsOf(1).map((steps) => ({ type: 'call', steps }) as const),
    refusal.map((said) => ({ type: 'refusal', said }) as const),
  );
  fc.assert(
    fc.property(pacesOf(), fc.array(event, { maxLength: 60 }), (paces, events) => {
      let now = 0;
      const clock = clockOf(() => now, createManualClock().sleep);
      const limiter = createLimiter({ clock, capsOf: () => ({ pace: paces }) });
      const silentUntil = new Map<string, number>();
      const key = ({ address, act }: Pick<LimitedCall, 'address' | 'act'>): string =>
        `${address.chat} ${act}`;
      const everyCall = chats.flatMap((address) =>
        acts.flatMap((act) => urgencies.map((urgency): LimitedCall => ({ address, act, urgency }))),
      );
      for (const one of events) {
        if (one.type === 'call') {
          for (const { gapMs, call } of one.steps) {
            now += gapMs;
            if (limiter.tryTake(call))
              assert.ok((silentUntil.get(key(call)) ?? 0) <= now, 'inside a refusal');
          }
          continue;
        }
        const { address, act, retryAfterMs, sameActOnly } = one.said;
        const before = everyCall.map((call) => limiter.wait(call));
        limiter.hold(
          { address, act },
          { kind: 'rate_limit', words: '', maybeDelivered: false, retryAfterMs, sameActOnly },
        );
        for (const [index, call] of everyCall.entries()) {
          const held = call.address === address && (!sameActOnly || call.act === act);
          if (held) silentUntil.set(key(call), Math.max(silentUntil.get(key(call)) ?? 0, now + retryAfterMs));
          const expected = held ? Math.max(before[index] ?? 0, retryAfterMs) : before[index];
          assert.equal(limiter.wait(call), expected);
        }
      }
    }),
  );
});

test('headers: a server that counts in periods never has to refuse once it was heard', () => {
  const bucket = fc.record({
    limit: fc.integer({ min: 1, max: 10 }),
    periodMs: fc.integer({ min: 600, max: 6_000 }),
  });
  const steps = fc.array(
    fc.record({ gapMs: fc.integer({ min: 0, max: 900 }), urgency: fc.constantFrom(...urgencies) }),
    { maxLength: 120 },
  );
  fc.assert(
    fc.property(bucket, steps, ({ limit, periodMs }, calls) => {
      let now = 0;
      const clock = clockOf(() => now, createManualClock().sleep);
      const limiter = createLimiter({ clock, capsOf: () => ({}) });
      const [address] = chats as readonly [Address, ...Address[]];
      const server = { used: 0, resetAt: 0 };
      let granted = 0;
      for (const { gapMs, urgency } of calls) {
        now += gapMs;
        if (!limiter.tryTake({ address, act: 'send', urgency })) continue;
        granted += 1;
        if (server.resetAt <= now) Object.assign(server, { used: 0, resetAt: now + periodMs });
        server.used += 1;
        assert.ok(server.used <= (granted === 1 ? limit : allowance(limit, urgency)), `${server.used} used`);
        limiter.learn('telegram', {
          place: 'A',
          act: 'send',
          limit,
          remaining: limit - server.used,
          resetAfterMs: server.resetAt - now,
        });
      }
    }),
  );
});
