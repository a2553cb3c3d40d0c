// The checkpoints of a busy database, made in another thread: each waits for the disk twice.
import { type DiskThread, diskThread } from '#base/files/disk-thread.ts';
import { fileOf, type Sqlite } from './sqlite.ts';

export interface Checkpoints {
  /** Something was committed. */
  written(): void;
  /**
   * Resolves when none is in progress. A caller that writes without end waits for it now and then: SQLite starts its log over only when all of it
   * is in the file, and nothing of it can be while more is written.
   */
  settled(): Promise<void>;
}

/** After so many commits: of these programs they fill about the thousand pages after which SQLite makes one on its own. */
const usually = 48;
/** Should the thread fall behind, SQLite makes one here; in pages, 16 MB of them. */
const maxPages = 4_000;

/** Makes the checkpoints of an open database instead of SQLite. When one fails, SQLite takes over and reports the error. */
export function createCheckpoints(
  database: Sqlite,
  { thread = diskThread(), every = usually }: { thread?: DiskThread; every?: number } = {},
): Checkpoints {
  database.pragma(`wal_autocheckpoint = ${maxPages}`);
  const path = fileOf(database);
  let since = 0;
  let underWay: Promise<void> | undefined;
  return {
    written() {
      since += 1;
      if (since < every || underWay !== undefined) return;
      since = 0;
      underWay = thread
        .carryOut([{ do: 'checkpoint', path }])
        .catch(() => {})
        .finally(() => {
          underWay = undefined;
        });
    },
    settled: async () => underWay,
  };
}
