// What people changed in messages after their run had begun: given to the model with the lane's next prompt, never a run on its own.
import { hash } from 'node:crypto';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface Correction {
  /** Who wrote the message, by their display name. */
  author: string;
}

export interface Corrections {
  /**
   * Stores the newest words of a message, which `was` is replaced by; false when they are the ones that the model was given, as they are or as
   * they are `masked`. Call it before the inbox has the new words.
   */
  save(correction: {
    inboxID: string;
    lane: string;
    was: string;
    text: string;
    masked: string;
    at: number;
  }): boolean;
  /** Removes all words of a message that was deleted. */
  drop(inboxID: string): void;
  /** From then on the lane's corrections belong to this turn; those of an earlier conversation are forgotten. */
  take(lane: string, turnID: string): void;
  /** What this turn has to report, oldest first. */
  ofTurn(turnID: string): Correction[];
}

/** The table `corrections`: edited messages of which the model has the old words. */
export function createCorrections(database: Sqlite): Corrections {
  const given = database
    .prepare<[string], string>(
      'SELECT text FROM corrections WHERE inbox_id = ? AND turn_id IS NOT NULL ORDER BY id DESC LIMIT 1',
    )
    .pluck();
  const answered = database
    .prepare<[string], string | null>("SELECT json_extract(event, '$.answeredHash') FROM inbox WHERE id = ?")
    .pluck();
  const setAnswered = database.prepare<[string, string]>(
    "UPDATE inbox SET event = json_set(event, '$.answeredHash', ?) WHERE id = ?",
  );
  const drop = database.prepare<[string]>('DELETE FROM corrections WHERE inbox_id = ?');
  const forget = database.prepare<[string]>('DELETE FROM corrections WHERE inbox_id = ? AND turn_id IS NULL');
  const insert = database.prepare<[string, string, string, number]>(
    'INSERT INTO corrections (inbox_id, lane, text, edited_at_ms) VALUES (?, ?, ?, ?)',
  );
  const forgetOld = database.prepare<[string]>(
    `DELETE FROM corrections WHERE lane = ? AND turn_id IS NULL AND EXISTS (
       SELECT 1 FROM inbox i JOIN turns t ON t.id = i.turn_id JOIN bindings b ON b.lane = corrections.lane
       WHERE i.id = corrections.inbox_id AND t.session_id <> coalesce(b.session_id, ''))`,
  );
  const take = database.prepare<[string, string]>(
    'UPDATE corrections SET turn_id = ? WHERE lane = ? AND turn_id IS NULL',
  );
  const ofTurn = database.prepare<[string], Correction>(
    `SELECT json_extract(i.event, '$.actor.name') AS author
     FROM corrections c JOIN inbox i ON i.id = c.inbox_id WHERE c.turn_id = ? ORDER BY c.id`,
  );
  const some = createRareRows(database, 'corrections WHERE id > 0');
  /** Whether the model was given these words; the words as they were answered are known only by their hash. */
  const isKnown = (inboxID: string, was: string, text: string): boolean => {
    const last = given.get(inboxID);
    if (last !== undefined) return last === text;
    const first = answered.get(inboxID) ?? hash('sha256', was);
    setAnswered.run(first, inboxID);
    return first === hash('sha256', text);
  };
  return {
    save({ inboxID, lane, was, text, masked, at }) {
      const known = isKnown(inboxID, was, text) || isKnown(inboxID, was, masked);
      const forgotten = forget.run(inboxID).changes > 0;
      if (known) return forgotten;
      some.written();
      insert.run(inboxID, lane, text, at);
      return true;
    },
    drop: (inboxID) => void drop.run(inboxID),
    take(lane, turnID) {
      if (!some.exist()) return;
      forgetOld.run(lane);
      take.run(turnID, lane);
    },
    ofTurn: (turnID) => (some.exist() ? ofTurn.all(turnID) : []),
  };
}
