// What tells a reader whether what it keeps of the file is still true: counts that the file itself keeps, whoever writes. Not what was changed.
import type { Sqlite } from '#base/sqlite.ts';

/** The file at one moment; what is read of it afterwards is at least as new. */
export interface Changes {
  /** Counts what was taken away or changed: what was read stays true while it is the same, but for when it was said last. */
  removals: number;
  /** Counts what was said again. */
  repeats: number;
  /** The number of the newest row; at least as large as how many there are. */
  newest: number;
  /** Another number after commits of other connections. */
  otherCommits: number;
}

/** Reads them from one open database: once for each question is enough. */
export function createChanges(database: Sqlite): () => Changes {
  const counts = database.prepare<[], { removals: number; repeats: number; newest: number }>(
    'SELECT removals, repeats, ifnull((SELECT max(row) FROM global_memory_chunks), 0) AS newest FROM memory_changes',
  );
  const otherCommits = database.prepare<[], number>('PRAGMA data_version').pluck();
  return () => {
    // in this order: a commit that comes in between is taken for a new one, not missed
    const { removals, repeats, newest } = counts.get() ?? { removals: 0, repeats: 0, newest: 0 };
    return { removals, repeats, newest, otherCommits: otherCommits.get() ?? 0 };
  };
}
