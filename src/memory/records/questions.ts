// Which records a thread of the journal asks about: what became of one of them ends the question, and takes the words of both out of it.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface Questions {
  /** Notes that the thread asks which of these records holds. */
  ask(threadID: string, recordIDs: readonly string[]): void;
  /** Whether the thread asks about records. */
  isOne(threadID: string): boolean;
  /** Resolves what asks about the record, and takes its words away; it holds no longer as it was. */
  end(recordID: string, at: number): void;
  /** The next version says the same: what asked about the one before asks about it. */
  carry(from: string, to: string): void;
  /** The records that a question which is not settled sets against this one. */
  against(recordID: string): string[];
}

/** The questions of one open database, inside the caller's transaction. What takes a record away ends them too: a trigger of its table. */
export function createQuestions(database: Sqlite): Questions {
  const ask = database.prepare<[string, string]>(
    'INSERT INTO journal_questions (record_id, thread_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const isOne = database.prepare<[string]>('SELECT 1 FROM journal_questions WHERE thread_id = ? LIMIT 1');
  const end = database.prepare<[object]>(
    `UPDATE open_threads SET title = 'Which of two memories holds?', body = '', carried = 0,
       updated_at_ms = CASE WHEN status IN ('open', 'parked') THEN @at ELSE updated_at_ms END,
       status = CASE WHEN status IN ('open', 'parked') THEN 'resolved' ELSE status END
     WHERE id IN (SELECT thread_id FROM journal_questions WHERE record_id = @id)`,
  );
  const carry = database.prepare<[string, string]>(
    'UPDATE OR REPLACE journal_questions SET record_id = ? WHERE record_id = ?',
  );
  const against = database
    .prepare<[object], string>(
      `SELECT other.record_id FROM journal_questions AS own JOIN journal_questions AS other USING (thread_id)
       JOIN open_threads ON open_threads.id = thread_id
       WHERE own.record_id = @id AND other.record_id <> @id AND status IN ('open', 'parked')`,
    )
    .pluck();
  return {
    ask: (threadID, recordIDs) => recordIDs.forEach((id) => void ask.run(id, threadID)),
    isOne: (threadID) => isOne.get(threadID) !== undefined,
    end: (id, at) => void end.run({ id, at: Math.round(at) }),
    carry: (from, to) => void carry.run(to, from),
    against: (id) => against.all({ id }),
  };
}
