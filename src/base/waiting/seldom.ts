// Whether a notice may be given once more: once for each key within a time. Calls of a platform have the limiter.

import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';

/** Keys that are remembered at a time: the others are as new. */
const maxKeys = 1_000;

/** A check that is true at most once in `ms` milliseconds for each key. */
export function createSeldom({
  clock,
  ms,
}: {
  clock: Pick<Clock, 'monotonic'>;
  ms: number;
}): (key: string) => boolean {
  const calledAt = createLruCache<string, MonotonicMs>(maxKeys);
  return (key) => {
    const last = calledAt.get(key);
    if (last !== undefined && msSince(clock, last) < ms) return false;
    calledAt.set(key, clock.monotonic());
    return true;
  };
}
