// Who waits for the ends of runs that happen in another process.

import type { Clock } from '#base/clock.ts';
import { createWaker, type Waker } from '#base/waiting/async.ts';

export interface RunWaiters {
  /** Looks at once, when the run is woken, and now and then, until `look` gives something. Throws its error, or the signal's reason. */
  until<T>(runID: string, look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T>;
  /** Lets those look who wait for this run, or for any. */
  wake(runID?: string): void;
}

/** How often a run is looked up whose end was not reported. */
const lookMs = 30_000;

/** Nobody waits at first. */
export function createRunWaiters(clock: Clock): RunWaiters {
  const waiting = new Map<string, Set<Waker>>();
  return {
    async until(runID, look, signal) {
      const waker = createWaker();
      const wakers = waiting.get(runID) ?? new Set();
      waiting.set(runID, wakers.add(waker));
      try {
        for (;;) {
          const found = await look();
          if (found !== undefined) return found;
          await waker.wait(clock, lookMs, signal);
        }
      } finally {
        wakers.delete(waker);
        if (wakers.size === 0) waiting.delete(runID);
      }
    },
    wake(runID) {
      const woken = runID === undefined ? [...waiting.values()] : [waiting.get(runID) ?? []];
      for (const wakers of woken) for (const waker of wakers) waker.wake();
    },
  };
}
