// What stood in a session before each revert, newest last. Called inside transactions.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface SnapshotRows {
  /** Stores the ids of the messages that stand now. */
  push(sessionID: string, messageIDs: readonly string[], now: number): void;
  /** Stores them behind all others: they are taken when no other is left. */
  putFirst(sessionID: string, messageIDs: readonly string[], now: number): void;
  /** Takes the newest one away and gives its ids; undefined when there is none. */
  pop(sessionID: string): string[] | undefined;
  /** Oldest first. */
  ofSession(sessionID: string): { messageIDs: string[]; takenAtMs: number }[];
  count(sessionID: string): number;
}

/** Statements over the engine's open database. */
export function createSnapshotRows(database: Sqlite): SnapshotRows {
  const push = database.prepare<[string, string, number]>(
    'INSERT INTO session_snapshots (session_id, message_ids, taken_at_ms) VALUES (?, ?, ?)',
  );
  const putFirst = database.prepare<[string, string, number]>(
    `INSERT INTO session_snapshots (position, session_id, message_ids, taken_at_ms)
     VALUES ((SELECT min(0, coalesce(min(position), 0)) - 1 FROM session_snapshots), ?, ?, ?)`,
  );
  const pop = database.prepare<[string], { message_ids: string }>(
    `DELETE FROM session_snapshots WHERE position =
       (SELECT max(position) FROM session_snapshots WHERE session_id = ?) RETURNING message_ids`,
  );
  const all = database.prepare<[string], { message_ids: string; taken_at_ms: number }>(
    'SELECT message_ids, taken_at_ms FROM session_snapshots WHERE session_id = ? ORDER BY position',
  );
  const count = database.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM session_snapshots WHERE session_id = ?',
  );
  return {
    push(sessionID, messageIDs, now) {
      push.run(sessionID, JSON.stringify(messageIDs), now);
    },
    putFirst(sessionID, messageIDs, now) {
      putFirst.run(sessionID, JSON.stringify(messageIDs), now);
    },
    pop(sessionID) {
      const row = pop.get(sessionID);
      return row === undefined ? undefined : JSON.parse(row.message_ids);
    },
    ofSession: (sessionID) =>
      all
        .all(sessionID)
        .map((row) => ({ messageIDs: JSON.parse(row.message_ids), takenAtMs: row.taken_at_ms })),
    count: (sessionID) => count.get(sessionID)?.n ?? 0,
  };
}
