// Two kinds of time that cannot be mixed: the wall's, which jumps, and the monotonic one, by which durations are counted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laterOf, momentAfter, momentIn, msSince, msUntil, systemClock } from '#base/clock.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('a wall time and a moment of the monotonic clock do not compile together', () => {
  const clock = createManualClock();
  const [wall, moment] = [clock.now(), clock.monotonic()];
  // @ts-expect-error a moment is compared with moments alone
  assert.equal(typeof (moment < wall), 'boolean');
  // @ts-expect-error nothing is subtracted from a wall time but another one
  assert.equal(typeof (wall - moment), 'number');
  // @ts-expect-error what is stored or shown is no moment
  const stored: number = moment;
  // @ts-expect-error a duration is counted from a moment
  assert.ok(msSince(clock, wall) !== stored);
});

test('only the wall time jumps, and both go on together', async () => {
  const clock = createManualClock();
  const [wall, moment] = [clock.now(), clock.monotonic()];
  clock.jump(-3_600_000);
  assert.deepEqual([clock.now() - wall, msSince(clock, moment)], [-3_600_000, 0]);
  await clock.advance(5);
  assert.deepEqual([clock.now() - wall, msSince(clock, moment)], [5 - 3_600_000, 5]);
});

test('moments are ordered, counted from and waited for', async () => {
  const clock = createManualClock();
  const due = momentIn(clock, 10);
  assert.equal(msUntil(clock, due), 10);
  await clock.advance(15);
  assert.deepEqual([msUntil(clock, due), msSince(clock, due)], [-5, 5]);
  assert.ok(due < momentAfter(due, 1));
  assert.equal(laterOf(due, momentAfter(due, -1)), due);
});

test("the machine's moments never go back", () => {
  let last = systemClock.monotonic();
  for (let look = 0; look < 1_000; look += 1) {
    const next = systemClock.monotonic();
    assert.ok(!(next < last));
    last = next;
  }
});
