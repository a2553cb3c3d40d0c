// A platform's own time, taken from its answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlatformTime } from '#adapters/gateway/terms/platform-time.ts';
import { systemClock } from '#base/clock.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const date = 'Fri, 02 Jan 2026 03:04:05 GMT';

test("a platform's time continues from the date of its last answer, and is not known before the first", async () => {
  const clock = createManualClock();
  const time = createPlatformTime(clock);
  assert.equal(time.now(), undefined);
  for (const nothing of [null, undefined, 'soon']) time.received(nothing);
  assert.equal(time.now(), undefined);
  time.received(date);
  await clock.advance(1_500);
  assert.equal(time.now(), Date.parse(date) + 1_500);
});

test("a platform's time is in whole milliseconds, as all times are that are stored", async () => {
  const time = createPlatformTime(systemClock);
  time.received(date);
  for (let times = 0; times < 20; times += 1) {
    assert.ok(Number.isSafeInteger(time.now()));
    await systemClock.sleep(1);
  }
});
