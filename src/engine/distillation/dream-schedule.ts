// Sweeps over short-term memory when they are due, each with the configured model. What a sweep does is memory's.

import type { Clock } from '#base/clock.ts';
import { errorMessage } from '#base/errors.ts';
import { isDiskFailure } from '#base/files/disk-failures.ts';
import type { Log } from '#base/log/log.ts';
import { every, isAbort } from '#base/waiting/async.ts';
import type { CallContext } from '#engine/providers/call-model.ts';
import type { Provider } from '#engine/providers/provider.ts';
import type { Memory } from '#memory/types/contract.ts';
import { memoryModel } from './memory-model.ts';

export interface DreamSchedule {
  /** Ends it, after the sweep that it is at. */
  close(): Promise<void>;
}

/** How often it is looked for what is due, at most, in milliseconds: a clock may be set, and another process may die. */
const lookMs = 60_000;

/** Looks for what is due until it is closed; a sweep that fails is tried again by a later look. */
export function createDreamSchedule(options: {
  memory: Pick<Memory, 'dueSweeps' | 'sweep' | 'repairDreams'>;
  provider(): Provider;
  calls: CallContext;
  isOn: boolean;
  clock: Clock;
  log: Log;
}): DreamSchedule {
  const { memory, clock, log, isOn } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const look = async (): Promise<void> => {
    for (const { audience, slot } of (await memory.dueSweeps()).due) {
      if (signal.aborted) break;
      try {
        const report = await memory.sweep({ audience, slot, model: memoryModel(options), signal });
        if (report.status !== 'done') continue;
        const { promoted, dropped, calls, tokens } = report;
        log.info({ audience, slot, promoted: promoted.length, dropped, calls, tokens }, 'a sweep was run');
      } catch (error) {
        if (isAbort(error, signal)) throw error;
        log.warn({ audience, slot, error: errorMessage(error) }, 'a sweep failed, and is tried again');
        if (isDiskFailure(error)) break; // what the disk refuses once, it refuses for all
      }
    }
  };
  const run = async (): Promise<void> => {
    for (const words of await memory.repairDreams().catch(() => []))
      log.info({ words }, 'memory was repaired');
    await every({ clock, ms: lookMs, signal }, () =>
      look().catch((error: unknown) => {
        if (isAbort(error, signal)) throw error;
        log.warn({ error: errorMessage(error) }, 'sweeps could not be looked for');
      }),
    );
  };
  const running = isOn
    ? run().catch((error: unknown) => log.error({ error: errorMessage(error) }, 'no sweep is run any more'))
    : undefined;
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
