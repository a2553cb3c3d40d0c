// What people think of answers: a row for each emoji of a person under an answer. Called inside transactions.
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { RunFeedback, StandingFeedback } from '#engine/wire/runs/feedback.ts';

export interface FeedbackRows {
  /** False where that is known, or what is withdrawn was never given. */
  put(runID: string, feedback: RunFeedback): boolean;
  /** Of one run, oldest first. */
  ofRun(runID: string): StandingFeedback[];
  /** Of one person, by run, oldest first. */
  ofPersons(persons: readonly string[]): (StandingFeedback & { runID: string })[];
  removeSession(sessionID: string): void;
  removePersons(persons: readonly string[]): void;
}

/** The table `run_feedback`; without rows nothing is asked of the database. */
export function createFeedbackRows(database: Sqlite): FeedbackRows {
  const columns = 'rating, emoji, person, name, at_ms AS atMs';
  const insert = database.prepare(
    `INSERT INTO run_feedback (run_id, person, emoji, name, rating, at_ms) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET rating = excluded.rating, name = excluded.name WHERE rating <> excluded.rating`,
  );
  const remove = database.prepare('DELETE FROM run_feedback WHERE run_id = ? AND person = ? AND emoji = ?');
  const ofRun = database.prepare<[string], StandingFeedback>(
    `SELECT ${columns} FROM run_feedback WHERE run_id = ? ORDER BY at_ms, emoji`,
  );
  const ofPersons = database.prepare<[string], StandingFeedback & { runID: string }>(
    `SELECT run_id AS runID, ${columns} FROM run_feedback
     WHERE person IN (SELECT value FROM json_each(?)) ORDER BY at_ms, run_id, emoji`,
  );
  const removeSession = database.prepare<[string]>(
    'DELETE FROM run_feedback WHERE run_id IN (SELECT id FROM runs WHERE session_id = ?)',
  );
  const removePersons = database.prepare<[string]>(
    'DELETE FROM run_feedback WHERE person IN (SELECT value FROM json_each(?))',
  );
  const some = createRareRows(database, "run_feedback WHERE run_id > ''");
  return {
    put(runID, { person, emoji, name, rating, atMs, withdrawn }) {
      if (withdrawn === true) return remove.run(runID, person, emoji).changes > 0;
      some.written();
      return insert.run(runID, person, emoji, name, rating, atMs).changes > 0;
    },
    ofRun: (runID) => (some.exist() ? ofRun.all(runID) : []),
    ofPersons: (persons) => (some.exist() ? ofPersons.all(JSON.stringify(persons)) : []),
    removeSession: (sessionID) => void (some.exist() && removeSession.run(sessionID)),
    removePersons: (persons) => void (some.exist() && removePersons.run(JSON.stringify(persons))),
  };
}
