// Changes of messages after their runs had begun, until the engine has them: changed words, and deletions.
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { Amendment } from '#engine/wire/runs/amendment.ts';

interface OpenAmendment {
  id: number;
  runID: string;
  amendment: Amendment;
}

export interface Amendments {
  /** `now` is null for a message that was deleted. */
  add(amendment: { inboxID: string; was: string; now: string | null; at: number }): void;
  /** Those whose runs have begun, oldest first; at most `limit`, and of none of the runs `except`. */
  open(limit: number, except?: readonly string[]): OpenAmendment[];
  done(id: number): void;
  /** Ids of edits of a turn's messages: a run that is begun now has what they say. */
  editsOf(turnID: string): number[];
  count(): number;
}

interface Row extends Amendment {
  id: number;
  runID: string | null;
  state: 'running' | 'answered' | 'failed';
}

/** The table `amendments`: edits and deletions that the engine does not have yet. */
export function createAmendments(database: Sqlite): Amendments {
  const insert = database.prepare(
    'INSERT INTO amendments (inbox_id, was, now, at_ms) VALUES (@inboxID, @was, @now, @at)',
  );
  // rows leave with `done`, so that there are never many; the condition is there to read them by their key
  const open = database.prepare<[string, number], Row>(
    `SELECT a.id, t.run_id AS runID, t.state, coalesce(json_extract(i.event, '$.retryOf'), i.native_id) AS nativeID, a.was, a.now
     FROM amendments a JOIN inbox i ON i.id = a.inbox_id JOIN turns t ON t.id = i.turn_id
     WHERE a.id > 0 AND coalesce(t.run_id, '') NOT IN (SELECT value FROM json_each(?)) ORDER BY a.id LIMIT ?`,
  );
  const count = database.prepare<[], number>('SELECT count(*) FROM amendments').pluck();
  const remove = database.prepare<[number]>('DELETE FROM amendments WHERE id = ?');
  const edits = database
    .prepare<[string], number>(
      `SELECT id FROM amendments
       WHERE id > 0 AND now IS NOT NULL AND inbox_id IN (SELECT id FROM inbox WHERE turn_id = ?)`,
    )
    .pluck();
  const some = createRareRows(database, 'amendments WHERE id > 0');
  return {
    add(amendment) {
      some.written();
      insert.run(amendment);
    },
    open: (limit, except = []) =>
      (some.exist() ? open.all(JSON.stringify(except), limit) : []).flatMap(
        ({ id, runID, state, ...amendment }) => {
          if (runID !== null) return [{ id, runID, amendment }];
          if (state !== 'running') remove.run(id); // it ended without a run: the engine never had the words
          return [];
        },
      ),
    done: (id) => void remove.run(id),
    editsOf: (turnID) => (some.exist() ? edits.all(turnID) : []),
    count: () => count.get() ?? 0,
  };
}
