// One lane for each channel: jobs run one after the other, each until it succeeds. Lanes do not wait for each other.

import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { backoffMs, isAbort } from '#base/waiting/async.ts';
import { createKeyedQueue } from '#base/waiting/keyed-queue.ts';

const backoff = { firstMs: 250, capMs: 30_000 };

/** Does its work or throws, and is then run again: it must be safe to repeat. */
type Job = () => Promise<void>;

export interface EventLanes {
  push(lane: string, job: Job): void;
  /** Jobs of the lane that are not done. */
  waiting(lane: string): number;
  /** Resolves when every job has ended; after the signal's abort that is soon. */
  idle(): Promise<void>;
}

/** Runs jobs one after the other in each lane; a job that throws is repeated, with pauses of up to 30 s, until the signal aborts. */
export function createEventLanes({
  clock,
  log,
  signal,
}: {
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}): EventLanes {
  const run = async (lane: string, job: Job): Promise<void> => {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        return await job();
      } catch (error) {
        if (isAbort(error, signal)) return;
        if (attempt === 1)
          log.warn({ channel: lane, error: errorMessage(error) }, 'discord event is tried again');
      }
      await clock.sleep(backoffMs(attempt, backoff), signal).catch(() => {
        // Aborted: the loop ends.
      });
    }
  };
  const queue = createKeyedQueue({
    failed: (error) => log.error({ error: errorMessage(error) }, 'discord event was given up'),
  });
  return {
    push: (lane, job) => void queue.run(lane, () => run(lane, job)),
    waiting: queue.waiting,
    idle: queue.idle,
  };
}
