// A circuit breaker: after several failures in a row nothing is tried for a while, then one try decides.
import { type Clock, type MonotonicMs, msSince } from '#base/clock.ts';

export interface BreakerSettings {
  /** So many failures in a row open it. */
  failures: number;
  /** How long it stays open, in milliseconds. */
  pauseMs: number;
}

interface Breaker {
  /** Whether something may be tried now. After a pause only one try may run until it has ended. */
  begin(): boolean;
  succeeded(): void;
  /** True when this failure opened it. */
  failed(): boolean;
  /** A try ended that says nothing: its caller gave it up. */
  abandoned(): void;
  /** Milliseconds of the pause that remain; undefined while it is closed. */
  remainingMs(): number | undefined;
}

/** A closed one. */
export function createBreaker({ failures, pauseMs }: BreakerSettings, clock: Clock): Breaker {
  let inARow = 0;
  let openedAt: MonotonicMs | undefined;
  let isTrying = false;
  const remaining = (): number =>
    openedAt === undefined ? 0 : Math.max(0, pauseMs - msSince(clock, openedAt));
  return {
    begin() {
      if (openedAt === undefined) return true;
      if (remaining() > 0 || isTrying) return false;
      isTrying = true;
      return true;
    },
    succeeded() {
      [inARow, openedAt, isTrying] = [0, undefined, false];
    },
    failed() {
      inARow += 1;
      isTrying = false;
      if (inARow < failures) return false;
      openedAt = clock.monotonic();
      return true;
    },
    abandoned() {
      isTrying = false;
    },
    remainingMs: () => (remaining() > 0 ? remaining() : undefined),
  };
}
