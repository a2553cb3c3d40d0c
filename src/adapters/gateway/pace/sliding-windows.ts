// Sliding windows: how long until a call fits below so many within so long. Knows nothing of chats.
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';

interface SlidingWindows {
  /** Milliseconds until one more call leaves the window at `calls` (at least 1) within any `perMs`. */
  wait(key: string, limit: { calls: number; perMs: number }): number;
  /** Notes a call that is made now. */
  count(key: string, perMs: number): void;
}

interface Window {
  /** Times of the calls within the window, oldest first. */
  at: MonotonicMs[];
  perMs: number;
}

const maxEntries = 10_000;

/** Counts calls in sliding time windows, one for each key; all empty at first. */
export function createSlidingWindows(clock: Clock): SlidingWindows {
  const windows = new Map<string, Window>();

  /** Times still inside the window; the others are dropped. */
  const recent = ({ at, perMs }: Window): MonotonicMs[] => {
    while (at[0] !== undefined && msSince(clock, at[0]) >= perMs) at.shift();
    return at;
  };

  return {
    wait(key, { calls, perMs }) {
      const window = windows.get(key);
      const times = window === undefined ? [] : recent(window);
      const leaving = times[times.length - calls];
      return leaving === undefined ? 0 : perMs - msSince(clock, leaving);
    },
    count(key, perMs) {
      const window = windows.get(key) ?? { at: [], perMs };
      windows.set(key, window);
      window.at.push(clock.monotonic());
      if (windows.size <= maxEntries) return;
      for (const [old, one] of windows) if (recent(one).length === 0) windows.delete(old);
    },
  };
}
