// Time as something that is handed in, so that tests decide it. Not for measuring durations in benchmarks.

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal | undefined): Promise<void>;
}

/** The longest that Node's timers take; beyond it they would fire at once. */
const longestMs = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // By hand, since the timers of `node:timers/promises` make an error with a stack of their own for every aborted wait.
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
