// The edges of the limiter's times: when a reset belongs to a new period, and who goes at the moment when a wait is over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Urgency } from '#adapters/gateway/pace/allowance.ts';
import { createLimiter, type LimitedCall } from '#adapters/gateway/pace/limiter.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import type { ChannelCapabilities } from '#adapters/gateway/terms/channel.ts';
import { momentOf } from '#base/clock.ts';
import { createManualClock, settle } from '../../../support/manual-clock.ts';

const address: Address = { platform: 'telegram', account: 'bot', chat: 'A', kind: 'dm' };
const send = (urgency: Urgency): LimitedCall => ({ address, act: 'send', urgency });

test('headers: a reset that is named half a second later is that of a new period', () => {
  for (const [laterMs, left] of [
    [499, 0],
    [500, 4],
  ] as const) {
    const limiter = createLimiter({ clock: createManualClock(), capsOf: () => ({}) });
    const budget = { place: 'A', act: 'send', limit: 5 } as const;
    limiter.learn('telegram', { ...budget, remaining: 0, resetAfterMs: 2_000 });
    limiter.learn('telegram', { ...budget, remaining: 4, resetAfterMs: 2_000 + laterMs });
    assert.equal(limiter.wait(send('final')) === 0, left > 0, `${laterMs} ms later`);
  }
});

test('nobody overtakes one who is due at this very moment, before its timer has fired', async () => {
  const caps: Partial<ChannelCapabilities> = {
    pace: [{ acts: ['send'], per: 'chat', calls: 1, perMs: 1_000 }],
  };
  const clock = createManualClock();
  let now = 0;
  const due = { ...clock, monotonic: () => momentOf(now) };
  const limiter = createLimiter({ clock: due, capsOf: () => caps });
  limiter.tryTake(send('final'));
  const first = limiter.take(send('preview'), new AbortController().signal);
  await settle();
  now = 1_000;
  assert.equal(limiter.tryTake(send('sign')), false);
  await first;
});
