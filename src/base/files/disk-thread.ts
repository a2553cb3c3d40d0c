// The thread for what can take a disk milliseconds, which the event loop is not to wait for. One for a process.
import { lazy } from '#base/lazy.ts';
import { createCallThread } from '#base/threads/call-thread.ts';
import type { DiskStep } from './disk-steps.ts';

/** Steps are the one thing that it is asked. */
export type DiskCalls = {
  steps: { request: readonly DiskStep[]; result: undefined; news: never };
};

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

/** A thread that is started when it is first needed, and ends when it had nothing to do for `idleMs`. It keeps no program alive that waits for nothing. */
export function createDiskThread(idleMs: number = idleAfterMs): DiskThread {
  const thread = createCallThread<DiskCalls>({
    file: new URL('./disk-worker.ts', import.meta.url),
    youngMiB,
    idleMs,
    what: 'The thread that works on the disk',
    ended: {
      code: 'thread_ended',
      message: 'The thread that works on the disk ended: it was asked to.',
    },
  });
  return {
    carryOut: (steps) => thread.call('steps', steps),
    end: thread.end,
  };
}
