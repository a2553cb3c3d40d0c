// Memory brought back within its budgets while the program runs. What is done for it is memory's.

import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import type { Log } from '#base/log/log.ts';
import { isAbort } from '#base/waiting/async.ts';
import type { CallContext } from '#engine/providers/call-model.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { Memory } from '#memory/types/contract.ts';
import { memoryModel } from './memory-model.ts';

/** Looked for so often, in milliseconds, and at most for this share of the time: to count a large memory takes a while. */
const [lookMs, share] = [10_000, 1 / 20];

/** Consolidates until it is closed, where there are budgets; a failure is tried again by a later look. */
export function createBudgetSchedule(options: {
  memory: Pick<Memory, 'consolidate'>;
  provider(): Provider;
  calls: CallContext;
  isOn: boolean;
  clock: Clock;
  log: Log;
}): { close(): Promise<void> } {
  const { memory, clock, log, isOn } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const look = async (): Promise<void> => {
    try {
      const steps = await memory.consolidate({ model: memoryModel(options), signal });
      for (const { step, owner, over, ids } of steps)
        log.info({ step, owner, over, memories: ids.length }, 'memory was over a budget');
    } catch (error) {
      if (isAbort(error, signal)) throw error;
      log.warn({ error: errorMessage(error) }, 'memory could not be brought back within its budgets');
    }
  };
  const run = async (): Promise<void> => {
    for (;;) {
      const begun = clock.now();
      await look();
      await clock.sleep(Math.max(lookMs, (clock.now() - begun) / share), signal);
    }
  };
  const running = isOn
    ? run().catch((error: unknown) => {
        if (!isAbort(error, signal))
          log.error({ error: errorMessage(error) }, 'budgets are not looked after any more');
      })
    : undefined;
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
