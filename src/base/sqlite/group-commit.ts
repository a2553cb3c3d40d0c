// Writes of one moment share one transaction, and with it one wait for the disk: what costs a busy program most.

import type { Clock } from '#base/clock.ts';
import { type DiskFailureHandler, isDiskFailure } from '#base/files/disk-failures.ts';
import type { FileSync } from '#base/files/file-sync.ts';
import type { Sqlite } from './sqlite.ts';

/**
 * When a commit resolves. `on disk`: once it survives a power cut, and with it all that was committed before. `written`: once it
 * survives a killed process; a power cut too after the next commit that is on disk. `soon`: as `written`, together with the next
 * commit, and on its own at the latest after 20 ms.
 */
export type Durability = 'on disk' | 'written' | 'soon';

interface GroupCommit {
  /**
   * Runs `work` (synchronous), in the order of the calls, and resolves as `durability` says. Work that throws takes back only what
   * it did itself; a failure of the disk takes back all that was to be committed together, and rejects all of it. A failure of
   * the wait for the disk rejects what waited, though it is written: such work has to be safe to repeat. `written` is called
   * with the result as soon as it is written, for what need not wait for the disk.
   */
  commit<T>(work: () => T, durability: Durability, written?: (result: T) => void): Promise<T>;
  /** Resolves once the disk has all that is written, as a commit that is `on disk` does. */
  onDisk(): Promise<void>;
  /** Commits what waits now, at once. */
  flush(): void;
}

/** Most works in one transaction, and the time in milliseconds after which no further one begins: the event loop stands still while it runs. */
const maxTogether = 32;
const longestMs = 10;
const soonMs = 20;
/**
 * While transactions hold more works than this, on the average of the last ones, the next is not begun sooner after the one before it than
 * this, in milliseconds: a busy program pays for fewer of them, and a single caller waits for nobody.
 */
const users = 2;
const gatherMs = 5;
const ofLast = 0.2;

interface Job {
  durability: Durability;
  run(): void;
  /** As `run`, when nothing else is in the transaction. */
  runAlone(): void;
  /** Called once the transaction is committed. */
  written(): void;
  /** Resolves as `durability` says. */
  settle(): void;
  reject(error: unknown): void;
}

interface GroupCommitOptions {
  storage: Pick<DiskFailureHandler, 'write' | 'explain'>;
  disk: Pick<FileSync, 'sync'>;
  clock: Clock;
}

/** Groups over an open database with `synchronous = NORMAL`, whose log `disk` waits for. */
export function createGroupCommit(
  database: Sqlite,
  { storage, disk, clock }: GroupCommitOptions,
): GroupCommit {
  const waiting: Job[] = [];
  let atOnce = false;
  let soon = false;
  let [usual, lastAt] = [1, Number.NEGATIVE_INFINITY];
  /** Gives how many of them it did. */
  const together = database.transaction((jobs: readonly Job[]): number => {
    const [only] = jobs;
    if (jobs.length === 1) {
      only?.runAlone();
      return 1;
    }
    const until = performance.now() + longestMs;
    let done = 0;
    for (; done < jobs.length && (done === 0 || performance.now() < until); done += 1) jobs[done]?.run();
    return done;
  });
  // Inside the group's transaction this is a savepoint.
  const apart = database.transaction((work: () => void) => work());

  const schedule = (durability: Durability): void => {
    if (atOnce) return;
    if (durability !== 'soon') {
      atOnce = true;
      const gather = usual > users ? lastAt + gatherMs - performance.now() : 0;
      if (gather > 0) setTimeout(flushSome, gather);
      else setImmediate(flushSome);
    } else if (!soon) {
      soon = true;
      void clock.sleep(soonMs).then(flushSome);
    }
  };

  /** Commits some of what waits, and gives it; what the disk refused is rejected. */
  const commitSome = (): readonly Job[] => {
    const jobs = waiting.splice(0, maxTogether);
    if (jobs.length === 0) return jobs;
    try {
      const done = storage.write(() => together.immediate(jobs));
      waiting.unshift(...jobs.splice(done));
      usual += ofLast * (done - usual);
      lastAt = performance.now();
      return jobs;
    } catch (error) {
      for (const job of jobs) job.reject(error);
      return [];
    }
  };

  const flushSome = (): void => {
    soon = false;
    atOnce = false;
    const jobs = commitSome();
    if (waiting.length > 0) schedule('written');
    for (const job of jobs) tellWritten(job);
    const forDisk = jobs.filter(({ durability }) => durability === 'on disk');
    settle(jobs.filter(({ durability }) => durability !== 'on disk'));
    if (forDisk.length > 0) void settleOnDisk(forDisk);
  };

  const settle = (jobs: readonly Job[]): void => {
    for (const job of jobs) job.settle();
  };

  /** A failure is told to its own caller, and keeps nobody else waiting. */
  const tellWritten = (job: Job): void => {
    try {
      job.written();
    } catch (error) {
      job.reject(error);
    }
  };

  const onDisk = createOnDisk({ disk, storage });
  const settleOnDisk = (jobs: readonly Job[]): Promise<void> =>
    onDisk().then(
      () => settle(jobs),
      (problem: unknown) => jobs.forEach(({ reject }) => void reject(problem)),
    );

  const jobOf = <T>(
    work: () => T,
    { durability, written }: { durability: Durability; written: ((result: T) => void) | undefined },
    { resolve, reject }: PromiseWithResolvers<T>,
  ): Job => {
    let settle = (): void => {};
    let afterwards = (): void => {};
    const runAlone = (): void => {
      const result = work();
      settle = () => resolve(result);
      afterwards = () => written?.(result);
    };
    return {
      durability,
      runAlone,
      written: () => afterwards(),
      run() {
        try {
          apart(runAlone);
        } catch (error) {
          // SQLite may have ended the whole transaction on its own: nothing of it can be trusted.
          if (isDiskFailure(error) || !database.inTransaction) throw error;
          settle = () => reject(error);
        }
      },
      settle: () => settle(),
      reject,
    };
  };

  return {
    commit<T>(work: () => T, durability: Durability, written?: (result: T) => void): Promise<T> {
      const outcome = Promise.withResolvers<T>();
      waiting.push(jobOf(work, { durability, written }, outcome));
      schedule(durability);
      return outcome.promise;
    },
    onDisk,
    flush() {
      while (waiting.length > 0) flushSome();
    },
  };
}

/** Waits for the disk, whose failures are explained. */
function createOnDisk({ disk, storage }: Pick<GroupCommitOptions, 'disk' | 'storage'>): () => Promise<void> {
  return () =>
    disk.sync().catch((error: unknown) => {
      throw storage.explain(error) ?? error;
    });
}
