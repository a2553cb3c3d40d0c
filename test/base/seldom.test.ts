// A notice is let through once for each key within a time: keys apart, the time from the last notice, and a bound.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeldom } from '#base/waiting/seldom.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a key is let through once within the time, also when the wall clock is set, and another key is none of its', async () => {
  const clock = createManualClock();
  const isTime = createSeldom({ clock, ms: 1_000 });
  assert.deepEqual([isTime('a'), isTime('a'), isTime('b')], [true, false, true]);
  await clock.advance(999);
  clock.jump(3_600_000);
  assert.equal(isTime('a'), false);
  await clock.advance(1);
  assert.deepEqual(
    [isTime('a'), isTime('a')],
    [true, false],
    'what was refused in between does not begin it again',
  );
});

test('of more than a thousand keys the one that was asked for longest ago is as new', () => {
  const isTime = createSeldom({ clock: createManualClock(), ms: 1_000 });
  for (let key = 0; key < 1_000; key += 1) isTime(`${key}`);
  assert.deepEqual([isTime('0'), isTime('more'), isTime('0'), isTime('1')], [false, true, false, true]);
});
