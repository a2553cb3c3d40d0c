// How long requests wait for their answer, by the monotonic clock while this process watches them.
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';
import type { StoredRequest } from './request-rows.ts';

interface RequestTimers {
  /** Expires the request when its time is over; watching it again changes nothing. */
  watch(request: StoredRequest): void;
  /** By the monotonic clock where this process waits for the answer; else by what an earlier one wrote down. */
  isOver(request: StoredRequest): boolean;
  stop(id: string): void;
  close(): void;
}

/** The timers; `expire` is called once for a request that nobody stopped. */
export function createRequestTimers(clock: Clock, expire: (request: StoredRequest) => void): RequestTimers {
  const timers = new Map<string, AbortController & { due: MonotonicMs }>();
  return {
    watch(request) {
      if (timers.has(request.id)) return;
      const { requestedAtMs, expiresAtMs } = request;
      // never longer than was meant: the clock may have been set back while no process waited
      const ms = Math.min(expiresAtMs - clock.now(), expiresAtMs - requestedAtMs);
      const timer = Object.assign(new AbortController(), { due: momentIn(clock, ms) });
      timers.set(request.id, timer);
      clock.sleep(ms, timer.signal).then(
        () => expire(request),
        () => {}, // it was settled first
      );
    },
    isOver({ id, expiresAtMs }) {
      const timer = timers.get(id);
      return timer === undefined ? expiresAtMs <= clock.now() : msUntil(clock, timer.due) <= 0;
    },
    stop(id) {
      timers.get(id)?.abort();
      timers.delete(id);
    },
    close() {
      for (const timer of timers.values()) timer.abort();
      timers.clear();
    },
  };
}
