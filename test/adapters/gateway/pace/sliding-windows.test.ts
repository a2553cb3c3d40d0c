// Sliding windows on a clock that stands still.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlidingWindows } from '#adapters/gateway/pace/sliding-windows.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const three = { calls: 3, perMs: 1_000 };

test('a window takes its calls at once, and one more when the first has left', async () => {
  const clock = createManualClock();
  const windows = createSlidingWindows(clock);
  for (const at of [0, 100, 200]) {
    assert.equal(windows.wait('a', three), 0, `call at ${at}`);
    windows.count('a', three.perMs);
    await clock.advance(100);
  }
  assert.equal(windows.wait('a', three), 700);
  await clock.advance(699);
  assert.equal(windows.wait('a', three), 1);
  await clock.advance(1);
  assert.equal(windows.wait('a', three), 0);
});

test('who may use fewer of the calls waits until as many are free', async () => {
  const clock = createManualClock();
  const windows = createSlidingWindows(clock);
  for (let call = 0; call < 3; call += 1) {
    windows.count('a', three.perMs);
    await clock.advance(100);
  }
  assert.equal(windows.wait('a', { calls: 2, perMs: 1_000 }), 800, 'until the second call has left');
  assert.equal(windows.wait('a', { calls: 1, perMs: 1_000 }), 900, 'until the window is empty');
});

test('windows do not count each other', () => {
  const windows = createSlidingWindows(createManualClock());
  for (let call = 0; call < 3; call += 1) windows.count('a', three.perMs);
  assert.equal(windows.wait('a', three), 1_000);
  assert.equal(windows.wait('b', three), 0);
});

test('a window lasts as long when the clock is set back or on', () => {
  for (const ms of [-3_600_000, 3_600_000]) {
    const clock = createManualClock();
    const windows = createSlidingWindows(clock);
    for (let call = 0; call < 3; call += 1) windows.count('a', three.perMs);
    clock.jump(ms);
    assert.equal(windows.wait('a', three), 1_000);
  }
});
