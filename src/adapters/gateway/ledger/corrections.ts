// What people changed in messages after their run had begun: told to the model with the lane's next prompt, never a run by itself.
import type { Sqlite } from '#base/sqlite.ts';

export interface Correction {
  /** Who wrote the message, by their display name. */
  author: string;
  /** The words as the model knows them. */
  was: string;
  now: string;
}

export interface Corrections {
  /** Keeps the newest words of a message; false when the model knows them already, as they are or as they are `masked`. */
  keep(correction: { inboxID: string; lane: string; text: string; masked: string; at: number }): boolean;
  /** The lane's corrections belong to this turn from now on; those of an earlier conversation are forgotten. */
  take(lane: string, turnID: string): void;
  /** What this turn has to tell, oldest first. */
  ofTurn(turnID: string): Correction[];
}

interface Raw {
  author: string;
  was: string;
  now: string;
}

/** The table `corrections`. */
export function createCorrections(database: Sqlite): Corrections {
  const told = database.prepare<[string, string], { text: string }>(
    `SELECT text FROM (
       SELECT text, id FROM corrections WHERE inbox_id = ? AND turn_id IS NOT NULL
       UNION ALL SELECT json_extract(event, '$.text'), 0 FROM inbox WHERE id = ?
     ) ORDER BY id DESC LIMIT 1`,
  );
  const forget = database.prepare<[string]>('DELETE FROM corrections WHERE inbox_id = ? AND turn_id IS NULL');
  const insert = database.prepare<[string, string, string, number]>(
    'INSERT INTO corrections (inbox_id, lane, text, edited_at_ms) VALUES (?, ?, ?, ?)',
  );
  const forgetOld = database.prepare<[string]>(
    `DELETE FROM corrections WHERE lane = ? AND turn_id IS NULL AND EXISTS (
       SELECT 1 FROM inbox i JOIN turns t ON t.id = i.turn_id JOIN bindings b ON b.lane = corrections.lane
       WHERE i.id = corrections.inbox_id AND t.session_id <> b.session_id)`,
  );
  const take = database.prepare<[string, string]>(
    'UPDATE corrections SET turn_id = ? WHERE lane = ? AND turn_id IS NULL',
  );
  const ofTurn = database.prepare<[string], Raw>(
    `SELECT json_extract(i.event, '$.actor.name') AS author, c.text AS now,
       coalesce(
         (SELECT e.text FROM corrections e WHERE e.inbox_id = c.inbox_id AND e.id < c.id ORDER BY e.id DESC LIMIT 1),
         json_extract(i.event, '$.text')
       ) AS was
     FROM corrections c JOIN inbox i ON i.id = c.inbox_id WHERE c.turn_id = ? ORDER BY c.id`,
  );
  return {
    keep({ inboxID, lane, text, masked, at }) {
      const before = told.get(inboxID, inboxID)?.text;
      const known = before === text || before === masked;
      const forgotten = forget.run(inboxID).changes > 0;
      if (known) return forgotten;
      insert.run(inboxID, lane, text, at);
      return true;
    },
    take(lane, turnID) {
      forgetOld.run(lane);
      take.run(turnID, lane);
    },
    ofTurn: (turnID) => ofTurn.all(turnID),
  };
}
