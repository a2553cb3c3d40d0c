// Work that may wait a little: what asks for it within some seconds is done together.
import type { Clock } from '#base/clock.ts';

export interface Batched {
  /** There is something to do; it is begun within the time. */
  nudge(): void;
  /** Does at once what there is to do, and resolves when that is done. */
  flush(): Promise<void>;
  /** Begins nothing more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` at most `ms` milliseconds after the first nudge, never twice at a time; what comes meanwhile is for another run. `work` must
 * not reject: it reports its own failures.
 */
export function createBatched({
  clock,
  ms,
  work,
}: {
  clock: Pick<Clock, 'sleep'>;
  ms: number;
  work: () => Promise<void>;
}): Batched {
  const stopped = new AbortController();
  let isDue = false;
  let waits = false;
  let underWay: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    while (isDue) {
      isDue = false;
      await work();
    }
  };
  const flush = (): Promise<void> => {
    isDue = true;
    underWay ??= run().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return {
    nudge() {
      isDue = true;
      if (waits || stopped.signal.aborted) return;
      waits = true;
      clock
        .sleep(ms, stopped.signal)
        .then(flush, () => undefined) // stopped
        .finally(() => {
          waits = false;
        });
    },
    flush,
    async stop() {
      stopped.abort();
      isDue = false;
      await underWay;
    },
  };
}
