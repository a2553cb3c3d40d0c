// Discord's rule of one IDENTIFY in five seconds, kept across clients that come and go. Not a rate limit of REST.
import { type Clock, momentIn, msUntil } from '#base/clock.ts';

/** `max_concurrency` 1: one IDENTIFY of a shard in this time. */
const gapMs = 5000;

export interface IdentifyGate {
  /** Resolves when this client may identify; rejects when the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
}

/** One gate for each bot account, shared by all the clients that are made for it. */
export function createIdentifyGate(clock: Clock): IdentifyGate {
  let nextAt = clock.monotonic();
  return {
    async wait(signal) {
      for (;;) {
        const ms = msUntil(clock, nextAt);
        if (ms <= 0) break;
        await clock.sleep(ms, signal);
      }
      nextAt = momentIn(clock, gapMs);
    },
  };
}
