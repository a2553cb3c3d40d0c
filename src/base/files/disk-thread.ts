// The thread for what can take a disk milliseconds, which the event loop is not to wait for. One for a process.

import { ParleyError } from '#base/errors.ts';
import { lazy } from '#base/lazy.ts';
import { createOnDemandThread } from '#base/threads/on-demand-thread.ts';
import type { DiskStep } from './disk-steps.ts';

export interface DiskOrder {
  id: number;
  steps: readonly DiskStep[];
}

export interface DiskAnswer {
  id: number;
  failed?: { code: string; message: string; hint: string | undefined };
}

export interface DiskThread {
  /**
   * Carries the steps out in order, after all that was asked for before. Rejects with a ParleyError in the words of the first step that
   * failed, after which none was tried, or with `thread_ended` when the thread died before it answered: then any of them may have been done.
   */
  carryOut(steps: readonly DiskStep[]): Promise<void>;
  /** Ends it, with what it has in progress; the next call starts another. */
  end(): Promise<void>;
}

/** What comes in goes out to the disk. */
const youngMiB = 3;
/** A gateway on which nobody talks needs none. */
const idleAfterMs = 60_000;

/** The one of this process, which all share. */
export const diskThread = lazy(() => createDiskThread());

/** A thread for disk work, started at the first job. It ends after `idleMs` milliseconds without work, and never holds an idle process. */
export function createDiskThread(idleMs: number = idleAfterMs): DiskThread {
  let orders = 0;
  const waiting = new Map<number, PromiseWithResolvers<void>>();

  const endAll = (why: string): void => {
    const all = [...waiting.values()];
    waiting.clear();
    for (const one of all)
      one.reject(new ParleyError('thread_ended', `The thread that works on the disk ended: ${why}.`));
  };
  const thread = createOnDemandThread<DiskAnswer>({
    file: new URL('./disk-worker.ts', import.meta.url),
    youngMiB,
    idleMs,
    received({ id, failed }) {
      const one = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) thread.rest();
      if (failed === undefined) one?.resolve();
      else one?.reject(new ParleyError(failed.code, failed.message, { hint: failed.hint }));
    },
    died: endAll,
  });

  return {
    carryOut(steps) {
      const id = orders;
      orders += 1;
      const settled = Promise.withResolvers<void>();
      // first, since no thread can be started while too many files are open
      thread.ask({ id, steps } satisfies DiskOrder);
      waiting.set(id, settled);
      return settled.promise;
    },
    async end() {
      endAll('it was asked to');
      await thread.end();
    },
  };
}
