// One lane for each channel: jobs run one after the other, each until it succeeds or is passed by. Lanes do not wait for each other.

import type { Sink } from '#adapters/gateway/terms/inbound.ts';
import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { createKeyedQueue } from '#base/waiting/keyed-queue.ts';
import { retry, unlessAborted } from '#base/waiting/retry.ts';

const pauses = { firstMs: 250, capMs: 30_000 };

/** Does its work or throws, and is then run again: it must be safe to repeat. */
type Job = () => Promise<void>;

export interface EventLanes {
  push(lane: string, job: Job): void;
  /** Jobs of the lane that are not done. */
  waiting(lane: string): number;
  /** Resolves when every job has ended; after the signal's abort that is soon. */
  idle(): Promise<void>;
}

/**
 * Runs jobs one after the other in each lane; a job that throws is repeated, with pauses of up to 30 s, until the sink passes it by or the
 * signal aborts.
 */
export function createEventLanes({
  sink,
  clock,
  log,
  signal,
}: {
  sink: Pick<Sink, 'take'>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}): EventLanes {
  let jobs = 0;
  const run = (lane: string, job: Job): Promise<void> => {
    jobs += 1;
    const key = `discord ${lane} #${jobs}`;
    const done = retry(
      { clock, pauses, signal },
      () => sink.take({ key }, job),
      (error, { attempt }) => {
        if (attempt === 1)
          log.warn({ channel: lane, error: errorMessage(error) }, 'discord event is tried again');
        return undefined;
      },
    );
    return unlessAborted(signal, done);
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
