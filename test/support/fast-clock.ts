// A clock on which the waits of a program take little of a test. Not a test.
import { type Clock, momentOf, systemClock } from '#base/clock.ts';

/** A clock that runs `times` as fast as the machine's, so that waits of seconds take little of a test. */
export function fastClock(times: number): Clock {
  const start = Date.now();
  return {
    now: () => start + (Date.now() - start) * times,
    monotonic: () => momentOf(performance.now() * times),
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}
