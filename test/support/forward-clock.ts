// The machine's clock, which a test moves on: what is due in an hour is due at once, and all else takes its usual time. Not a test.
import { type Clock, momentAfter, systemClock } from '#base/clock.ts';

export interface ForwardClock extends Clock {
  /** Moves both times on by `ms` and ends the sleeps that end by then. */
  advance(ms: number): void;
}

export function createForwardClock(): ForwardClock {
  let aheadMs = 0;
  /** Wakes each sleep in progress, which then computes the time that is left. */
  const moved = new Set<() => void>();
  const now = (): number => systemClock.now() + aheadMs;
  return {
    now,
    monotonic: () => momentAfter(systemClock.monotonic(), aheadMs),
    async sleep(ms, signal) {
      for (let left = ms; ; ) {
        const from = now();
        const early = new AbortController();
        const end = (): void => early.abort();
        moved.add(end);
        const both = signal === undefined ? early.signal : AbortSignal.any([signal, early.signal]);
        try {
          return await systemClock.sleep(left, both);
        } catch (error) {
          if (!early.signal.aborted || signal?.aborted === true) throw error;
        } finally {
          moved.delete(end);
        }
        left -= now() - from;
      }
    },
    advance(ms) {
      aheadMs += ms;
      for (const end of [...moved]) end();
    },
  };
}
