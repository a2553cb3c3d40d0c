// What people think of answers, by their reactions, until the engine has it.
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { RunFeedback } from '#engine/wire/runs/feedback.ts';

interface OpenFeedback {
  id: number;
  runID: string;
  feedback: RunFeedback;
}

export interface GivenFeedback {
  add(runID: string, feedback: RunFeedback): void;
  /** Oldest first, at most `limit`. */
  open(limit: number): OpenFeedback[];
  done(id: number): void;
  count(): number;
}

/** The table `given_feedback`; rows leave with `done`, so that there are never many. */
export function createGivenFeedback(database: Sqlite): GivenFeedback {
  const insert = database.prepare<[string, string, string]>(
    'INSERT INTO given_feedback (run_id, person, feedback) VALUES (?, ?, ?)',
  );
  const open = database.prepare<[number], { id: number; runID: string; feedback: string }>(
    'SELECT id, run_id AS runID, feedback FROM given_feedback WHERE id > 0 ORDER BY id LIMIT ?',
  );
  const count = database.prepare<[], number>('SELECT count(*) FROM given_feedback').pluck();
  const remove = database.prepare<[number]>('DELETE FROM given_feedback WHERE id = ?');
  const some = createRareRows(database, 'given_feedback WHERE id > 0');
  return {
    add(runID, feedback) {
      some.written();
      insert.run(runID, feedback.person, JSON.stringify(feedback));
    },
    // written only by `add`
    open: (limit) =>
      some.exist() ? open.all(limit).map((row) => ({ ...row, feedback: JSON.parse(row.feedback) })) : [],
    done: (id) => void remove.run(id),
    count: () => (some.exist() ? (count.get() ?? 0) : 0),
  };
}
