// A platform's own time, as the `Date` headers of its answers say it: what people said is late or not by the clock that dated it. Not our clock.
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';

interface PlatformTime {
  /** Takes the `Date` header of an answer that has just come. */
  received(date: string | null | undefined): void;
  /** Whole milliseconds since the epoch, to about a second and the way of an answer; undefined before the first answer. */
  now(): number | undefined;
}

/** The time of one platform; it continues by our monotonic clock, so that it stays right when our wall clock is set. */
export function createPlatformTime(clock: Pick<Clock, 'monotonic'>): PlatformTime {
  let last: { ms: number; at: MonotonicMs } | undefined;
  return {
    received(date) {
      const ms = Date.parse(date ?? '');
      if (Number.isFinite(ms)) last = { ms, at: clock.monotonic() };
    },
    // whole, as the ledger stores times
    now: () => last && Math.round(last.ms + msSince(clock, last.at)),
  };
}
