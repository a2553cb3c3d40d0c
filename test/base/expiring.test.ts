// Values that count until a moment: what is over goes when there are too many, and what still counts never does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExpiring } from '#base/caches/expiring.ts';
import { type MonotonicMs, momentIn } from '#base/clock.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('above its bound a map drops what is over, from that moment on, and nothing that still counts', async () => {
  const clock = createManualClock();
  const values = createExpiring<string, { until: MonotonicMs }>({
    clock,
    most: 3,
    untilOf: ({ until }) => until,
  });
  const set = (key: string, ms: number): void => values.set(key, { until: momentIn(clock, ms) });
  const known = (): string[] => ['a', 'b', 'c', 'd', 'e'].filter((key) => values.get(key) !== undefined);
  set('a', 10);
  set('b', 11);
  await clock.advance(10);
  set('c', 5);
  assert.deepEqual(known(), ['a', 'b', 'c'], 'there is room for what is over');
  set('d', 5);
  assert.deepEqual(known(), ['b', 'c', 'd']);
  set('e', 5);
  assert.deepEqual(known(), ['b', 'c', 'd', 'e'], 'all of these count');
  await clock.advance(5);
  set('e', 9);
  assert.deepEqual(known(), ['e']);
});
