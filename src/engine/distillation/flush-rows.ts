// Up to which summary the memory flush of a session has run. Called inside transactions.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface FlushRows {
  /** Whether the session was flushed since the summary that ends with this message. */
  isDone(sessionID: string, after: string): boolean;
  done(sessionID: string, after: string): void;
}

/** Over the engine's database. */
export function createFlushRows(database: Sqlite): FlushRows {
  const get = database.prepare<[string], { flushed_after: string | null }>(
    'SELECT flushed_after FROM sessions WHERE id = ?',
  );
  const set = database.prepare<[string, string]>('UPDATE sessions SET flushed_after = ? WHERE id = ?');
  return {
    isDone: (sessionID, after) => get.get(sessionID)?.flushed_after === after,
    done: (sessionID, after) => void set.run(after, sessionID),
  };
}
