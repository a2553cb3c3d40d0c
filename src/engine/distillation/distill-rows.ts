// Which sessions have remembered exchanges that were not distilled yet: the durable queue of distilling on its own.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

interface DueSession {
  sessionID: string;
  /** Of its newest exchange that waits. */
  position: number;
}

export interface DistillRows {
  /** Sessions whose last exchange that waits ended in this time, and in which nothing runs; the longest waiting first. */
  due(between: { from: number; until: number }): DueSession[];
  /** Its exchanges up to this one are distilled. */
  done(session: DueSession, at: number): void;
}

/** Over the engine's database. */
export function createDistilRows(database: Sqlite): DistillRows {
  const due = database.prepare<[object], DueSession>(
    `SELECT session_id AS sessionID, max(position) AS position FROM runs AS waiting
     WHERE archived = 'stored' AND distilled_at_ms IS NULL
       AND NOT EXISTS (SELECT 1 FROM runs WHERE session_id = waiting.session_id AND status = 'running')
     GROUP BY session_id HAVING max(finished_at_ms) BETWEEN :from AND :until ORDER BY max(finished_at_ms)`,
  );
  const done = database.prepare<[object]>(
    `UPDATE runs SET distilled_at_ms = :at
     WHERE session_id = :sessionID AND position <= :position AND archived = 'stored' AND distilled_at_ms IS NULL`,
  );
  return {
    due: (between) => due.all(between),
    done: (session, at) => void done.run({ ...session, at }),
  };
}
