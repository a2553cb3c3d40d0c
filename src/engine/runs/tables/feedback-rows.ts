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
  /** With the calls that would tell it. */
  removeSession(sessionID: string): void;
  removePersons(persons: readonly string[]): void;
  addCall(call: FeedbackCall): void;
  /** The oldest that is not done. */
  nextCall(): FeedbackCall | undefined;
  callDone(id: string): void;
}

/** A call of the feedback webhook; its id rises with time. */
export interface FeedbackCall {
  id: string;
  runID: string;
  person: string;
  body: string;
  atMs: number;
}

/** The tables `run_feedback` and `feedback_calls`; without rows nothing is asked of the database. */
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
  const removals = (where: string) =>
    ['run_feedback', 'feedback_calls'].map((table) =>
      database.prepare<[string]>(`DELETE FROM ${table} WHERE ${where}`),
    );
  const ofSession = removals('run_id IN (SELECT id FROM runs WHERE session_id = ?)');
  const ofThese = removals('person IN (SELECT value FROM json_each(?))');
  const addCall = database.prepare<FeedbackCall>(
    'INSERT INTO feedback_calls (id, run_id, person, body, at_ms) VALUES (:id, :runID, :person, :body, :atMs)',
  );
  const nextCall = database.prepare<[], FeedbackCall>(
    'SELECT id, run_id AS runID, person, body, at_ms AS atMs FROM feedback_calls ORDER BY id LIMIT 1',
  );
  const callDone = database.prepare<[string]>('DELETE FROM feedback_calls WHERE id = ?');
  const calls = createRareRows(database, "feedback_calls WHERE id > ''");
  const some = createRareRows(database, "run_feedback WHERE run_id > ''");
  return {
    put(runID, { person, emoji, name, rating, atMs, withdrawn }) {
      if (withdrawn === true) return remove.run(runID, person, emoji).changes > 0;
      some.written();
      return insert.run(runID, person, emoji, name, rating, atMs).changes > 0;
    },
    ofRun: (runID) => (some.exist() ? ofRun.all(runID) : []),
    ofPersons: (persons) => (some.exist() ? ofPersons.all(JSON.stringify(persons)) : []),
    removeSession(sessionID) {
      if (some.exist() || calls.exist()) for (const removal of ofSession) removal.run(sessionID);
    },
    removePersons(persons) {
      if (some.exist() || calls.exist()) for (const removal of ofThese) removal.run(JSON.stringify(persons));
    },
    addCall(call) {
      calls.written();
      addCall.run(call);
    },
    nextCall: () => (calls.exist() ? nextCall.get() : undefined),
    callDone: (id) => void callDone.run(id),
  };
}
