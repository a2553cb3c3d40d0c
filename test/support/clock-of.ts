// A clock whose wall time a test computes, and whose monotonic time goes with it. Not for tests in which someone sets a clock.
import { type Clock, momentOf } from '#base/clock.ts';

/** Sleeps end at once where the test does not say how they end. */
export function clockOf(now: () => number, sleep: Clock['sleep'] = async () => {}): Clock {
  return { now, monotonic: () => momentOf(now()), sleep };
}
