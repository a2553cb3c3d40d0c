// The checkpoints of a busy database, made in another thread: each waits for the disk twice. Not when a commit survives a power cut, which file-sync.ts says.
import { type DiskThread, diskThread } from './disk-thread.ts';
import { fileOf, type Sqlite } from './sqlite.ts';

export interface Checkpoints {
  /** Something was committed. */
  written(): void;
}

/** After so many commits: of these programs they fill about the thousand pages after which SQLite makes one by itself. */
const every = 48;
/** Should the thread not keep up, SQLite makes one here; in pages, 16 MB of them. */
const mostPages = 4_000;

/** Watches over an open database, whose checkpoints it takes over. One that fails is left to SQLite, which says what is wrong. */
export function createCheckpoints(database: Sqlite, thread: DiskThread = diskThread()): Checkpoints {
  database.pragma(`wal_autocheckpoint = ${mostPages}`);
  const path = fileOf(database);
  let since = 0;
  let underWay = false;
  return {
    written() {
      since += 1;
      if (since < every || underWay) return;
      since = 0;
      underWay = true;
      void thread
        .carryOut([{ do: 'checkpoint', path }])
        .catch(() => {})
        .finally(() => {
          underWay = false;
        });
    },
  };
}
