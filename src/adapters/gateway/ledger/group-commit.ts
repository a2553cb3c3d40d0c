// Writes of one moment share one transaction, and with it one fsync: what costs a busy gateway most. Not what is written.

import type { Sqlite } from '#base/sqlite.ts';
import { isStorageFailure } from '#base/storage.ts';

export interface GroupCommit {
  /**
   * Runs `work` (synchronous), soon and in the order of the calls, and resolves once it is committed. Work that throws takes back
   * only what it did itself; a failure of the disk takes back all that was to be committed together, and rejects all of it.
   */
  commit<T>(work: () => T): Promise<T>;
  /** Commits what waits now, at once. */
  flush(): void;
}

/** Most works in one transaction: the event loop stands still while it runs. */
const mostTogether = 32;

interface Job {
  run(): void;
  /** As `run`, when nothing else is in the transaction. */
  runAlone(): void;
  /** Told once the transaction is committed. */
  settle(): void;
  reject(error: unknown): void;
}

/** Groups over an open database; `write` runs a transaction and says what the disk did. */
export function createGroupCommit(database: Sqlite, write: <T>(work: () => T) => T): GroupCommit {
  const waiting: Job[] = [];
  const together = database.transaction((jobs: readonly Job[]) => {
    const [only] = jobs;
    if (jobs.length === 1) only?.runAlone();
    else for (const job of jobs) job.run();
  });
  // Inside the group's transaction this is a savepoint.
  const apart = database.transaction((work: () => void) => work());

  const flushSome = (): void => {
    const jobs = waiting.splice(0, mostTogether);
    if (waiting.length > 0) setImmediate(flushSome);
    if (jobs.length === 0) return;
    try {
      write(() => together.immediate(jobs));
    } catch (error) {
      for (const job of jobs) job.reject(error);
      return;
    }
    for (const job of jobs) job.settle();
  };

  const jobOf = <T>(work: () => T, { resolve, reject }: PromiseWithResolvers<T>): Job => {
    let settle = (): void => {};
    const runAlone = (): void => {
      const result = work();
      settle = () => resolve(result);
    };
    return {
      runAlone,
      run() {
        try {
          apart(runAlone);
        } catch (error) {
          // SQLite may have ended the whole transaction by itself: nothing of it can be trusted.
          if (isStorageFailure(error) || !database.inTransaction) throw error;
          settle = () => reject(error);
        }
      },
      settle: () => settle(),
      reject,
    };
  };

  return {
    commit<T>(work: () => T): Promise<T> {
      const outcome = Promise.withResolvers<T>();
      waiting.push(jobOf(work, outcome));
      if (waiting.length === 1) setImmediate(flushSome);
      return outcome.promise;
    },
    flush() {
      while (waiting.length > 0) flushSome();
    },
  };
}
