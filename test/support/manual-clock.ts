// A clock that stands still until the test moves it.
import { type Clock, momentOf } from '#base/clock.ts';

interface Sleeper {
  at: number;
  wake(): void;
}

export interface ManualClock extends Clock {
  /** Moves time on in steps, waking sleepers in order and letting everything that follows happen in between. */
  advance(ms: number): Promise<void>;
  /** Moves only the wall time by `ms` (also back), as a person or a time server does: no time passes, nobody wakes. */
  jump(ms: number): void;
  sleeping(): number;
}

/** Calls to the disk that have not come back, such as a wait for it: what follows them is still to come. */
const awaitsDisk = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
/** Rounds that a call to the disk is waited for at most: some never come back, as the reading of a pipe. */
const maxWaiting = 20_000;

/** Lets pending promises, timers of zero length and I/O callbacks run, those of the disk as long as they take. */
export async function settle(rounds = 20): Promise<void> {
  let waited = 0;
  for (let round = 0; round < rounds; ) {
    await new Promise((resolve) => setImmediate(resolve));
    if (awaitsDisk() && waited < maxWaiting) waited += 1;
    else round += 1;
  }
}

export function createManualClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): ManualClock {
  let now = 0;
  let wall = start;
  const sleepers = new Set<Sleeper>();
  return {
    now: () => wall + now,
    monotonic: () => momentOf(now),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const give = (): void => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper = {
          at: now + Math.max(0, ms),
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', give);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', give, { once: true });
      }),
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await settle();
        const next = [...sleepers].sort((a, b) => a.at - b.at)[0];
        if (next === undefined || next.at > end) break;
        now = Math.max(now, next.at);
        next.wake();
      }
      now = end;
    },
    jump(ms) {
      wall += ms;
    },
    sleeping: () => sleepers.size,
  };
}
