// When waiting messages came in, on the clock that durations are counted by. Not stored: a later process looks at its wall clock.
import type { InboxRow } from '#adapters/gateway/ledger/inbox/inbox-row.ts';
import { createLruCache } from '#base/caches/lru-cache.ts';
import { type Clock, type MonotonicMs, momentIn } from '#base/clock.ts';

interface Arrivals {
  /**
   * When the message came in. Decided at the first look at it, where it is as old as the wall clock says, and never from the future;
   * from then on it stays the same, however the wall clock is set.
   */
  of(row: Pick<InboxRow, 'id' | 'receivedAt'>): MonotonicMs;
  /** These wait no longer. */
  forget(rows: readonly Pick<InboxRow, 'id'>[]): void;
}

/** Messages that were withdrawn are forgotten by nothing else: above this number, those go that were read the longest time ago. */
const maxEntries = 10_000;

/** When each waiting message arrived, on the monotonic clock; at most 10,000 messages. */
export function createArrivals(clock: Clock): Arrivals {
  const known = createLruCache<string, MonotonicMs>(maxEntries);
  return {
    of({ id, receivedAt }) {
      const at = known.get(id) ?? momentIn(clock, -Math.max(0, clock.now() - receivedAt));
      known.set(id, at);
      return at;
    },
    forget(rows) {
      for (const { id } of rows) known.delete(id);
    },
  };
}
