// A clock that stands still until a test moves it.
import { type Clock, momentOf } from '#base/clock.ts';

export interface TestClock extends Clock {
  /** Moves on and ends every sleep that is over by then. */
  advance(ms: number): void;
  /** Sleeps that wait now. */
  sleeping(): number;
}

export function createTestClock(start = 1_800_000_000_000): TestClock {
  let now = start;
  const sleepers = new Set<{ until: number; wake(): void }>();
  return {
    now: () => now,
    monotonic: () => momentOf(now),
    sleeping: () => sleepers.size,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sleeper = { until: now + ms, wake: resolve };
      const abort = (): void => reject(signal?.reason);
      sleepers.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        await promise;
      } finally {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', abort);
      }
    },
    advance(ms) {
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.until <= now) sleeper.wake();
    },
  };
}
