// Sliding windows: how long until a call fits below so many within so long. Knows nothing of chats.
import type { Clock } from '#base/clock.ts';

export interface Windows {
  /** Milliseconds until one more call keeps the window at `calls` within any `perMs`. */
  wait(key: string, limit: { calls: number; perMs: number }): number;
  /** Notes a call that is made now. */
  count(key: string, perMs: number): void;
}

interface Window {
  /** Times of the calls within the window, oldest first. */
  at: number[];
  perMs: number;
}

const mostKept = 10_000;

/** Empty windows over a clock. */
export function createWindows(clock: Clock): Windows {
  const windows = new Map<string, Window>();

  /** Times still inside the window; the others are dropped. */
  const recent = (window: Window): number[] => {
    const since = clock.now() - window.perMs;
    while (window.at[0] !== undefined && window.at[0] <= since) window.at.shift();
    return window.at;
  };

  return {
    wait(key, { calls, perMs }) {
      const window = windows.get(key);
      const times = window === undefined ? [] : recent(window);
      // with no allowance at all it waits for an empty window
      const leaving = times[times.length - Math.max(1, calls)];
      return leaving === undefined ? 0 : leaving + perMs - clock.now();
    },
    count(key, perMs) {
      const window = windows.get(key) ?? { at: [], perMs };
      windows.set(key, window);
      window.at.push(clock.now());
      if (windows.size <= mostKept) return;
      for (const [old, one] of windows) if (recent(one).length === 0) windows.delete(old);
    },
  };
}
