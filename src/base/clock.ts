// Time as something that is handed in, so that tests decide it. Not for measuring durations in benchmarks.

declare const monotonic: unique symbol;

/**
 * A moment of the machine's monotonic clock, which nobody sets. It is no number for the compiler: moments are compared only with each
 * other, and a wall time can neither be compared with one nor be added to it.
 */
export interface MonotonicMs {
  readonly [monotonic]: true;
}

export interface Clock {
  /**
   * The wall time, in milliseconds since the epoch: for people, platforms and what is stored. It jumps when the machine's clock is set,
   * so nothing is waited for by it, except what an earlier process began.
   */
  now(): number;
  /** The moment from which durations are counted. It means nothing in another process. */
  monotonic(): MonotonicMs;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal | undefined): Promise<void>;
}

/** Converts milliseconds of a monotonic clock to a moment. Only implementations of `Clock` need it. */
export function momentOf(ms: number): MonotonicMs {
  return ms as unknown as MonotonicMs; // moments are numbers while the program runs
}

/** The moment `ms` after another one; before it where `ms` is negative. */
export function momentAfter(start: MonotonicMs, ms: number): MonotonicMs {
  return momentOf(msOf(start) + ms);
}

/** The moment `ms` from now. */
export function momentIn(clock: Pick<Clock, 'monotonic'>, ms: number): MonotonicMs {
  return momentAfter(clock.monotonic(), ms);
}

/** Milliseconds that have passed since a moment. */
export function msSince(clock: Pick<Clock, 'monotonic'>, start: MonotonicMs): number {
  return msOf(clock.monotonic()) - msOf(start);
}

/** Milliseconds until a moment; 0 or less once it is here. */
export function msUntil(clock: Pick<Clock, 'monotonic'>, end: MonotonicMs): number {
  return -msSince(clock, end);
}

/** The later of two moments. */
export function laterOf(one: MonotonicMs, other: MonotonicMs): MonotonicMs {
  return one < other ? other : one;
}

function msOf(moment: MonotonicMs): number {
  return moment as unknown as number; // as `momentOf` made it
}

/** The longest that Node's timers take; beyond it they would fire at once. */
const longestMs = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => momentOf(performance.now()),
  // By hand, since the timers of `node:timers/promises` make an error with a stack of its own for every aborted wait.
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const give = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', give);
          resolve();
        },
        Math.min(Math.max(0, ms), longestMs),
      );
      signal?.addEventListener('abort', give, { once: true });
    }),
};
