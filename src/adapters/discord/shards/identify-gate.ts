// Discord's rule of one IDENTIFY in five seconds for each bucket of shards, kept across clients that come and go. Not a limit of REST.
import { type Clock, type MonotonicMs, momentIn, msUntil } from '#base/clock.ts';

/** One IDENTIFY of a bucket in 5,000 ms, and what the network may take from the time between two of them. */
const gapMs = 5250;

export interface IdentifyGate {
  /** Resolves when a client may identify in this bucket (`shard_id % max_concurrency`); rejects when the signal aborts. */
  wait(bucket: number, signal: AbortSignal): Promise<void>;
}

/** One gate for each bot account, shared by all the clients that are made for it. */
export function createIdentifyGate(clock: Clock): IdentifyGate {
  const nextAt = new Map<number, MonotonicMs>();
  return {
    async wait(bucket, signal) {
      for (;;) {
        const next = nextAt.get(bucket);
        const ms = next === undefined ? 0 : msUntil(clock, next);
        if (ms <= 0) break;
        await clock.sleep(ms, signal);
      }
      nextAt.set(bucket, momentIn(clock, gapMs));
    },
  };
}
