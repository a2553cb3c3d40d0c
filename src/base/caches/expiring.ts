// Values that count until a moment each, however many there are. Values that may go at any time are in lru-cache.ts.
import { type Clock, type MonotonicMs, msUntil } from '#base/clock.ts';

interface Expiring<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** A map that removes expired values once it holds more than `most`. A value that has not expired is never removed. */
export function createExpiring<K, V>({
  clock,
  most,
  untilOf,
}: {
  clock: Pick<Clock, 'monotonic'>;
  most: number;
  /** Until when a value counts; it is over at that moment. */
  untilOf(value: V): MonotonicMs;
}): Expiring<K, V> {
  const values = new Map<K, V>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.set(key, value);
      if (values.size <= most) return;
      for (const [each, one] of values) if (msUntil(clock, untilOf(one)) <= 0) values.delete(each);
    },
  };
}
