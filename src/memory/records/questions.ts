// Which records a thread of the journal asks about: what became of one of them ends the question, and takes the words of both out of it.
import type { Sql } from '#base/sql/sql.ts';
import type { Synchronous, Work } from '#base/sql/work.ts';

export interface QuestionWork {
  /** Notes that the thread asks which of these records holds, in this order. */
  ask(threadID: string, recordIDs: readonly string[]): Work<void>;
  /** Whether the thread asks about records. */
  isOne(threadID: string): Work<boolean>;
  /** Resolves what asks about the record, and takes its words away; it holds no longer as it was. */
  end(recordID: string, at: number): Work<unknown>;
  /** The next version says the same: what asked about the one before asks about it. */
  carry(from: string, to: string): Work<unknown>;
  /** The records that the thread asks about, in its order; none of any other thread. */
  sides(threadID: string): Work<string[]>;
  /** The records that a question which is not settled sets against this one. */
  against(recordID: string): Work<string[]>;
}

/** The same where nothing is waited for. */
export type Questions = Synchronous<QuestionWork>;

/** The questions of one database, inside the caller's transaction. What takes a record away ends them too: a trigger of its table. */
export function createQuestions(sql: Sql): QuestionWork {
  const ask = sql.prepare<[string, string, number], object>(
    'INSERT INTO journal_questions (record_id, thread_id, side) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const sides = sql.pluck<[string], string>(
    'SELECT record_id FROM journal_questions WHERE thread_id = ? ORDER BY side',
  );
  const isOne = sql.prepare<[string], object>('SELECT 1 FROM journal_questions WHERE thread_id = ? LIMIT 1');
  const end = sql.prepare<[object], object>(
    `UPDATE open_threads SET title = 'Which of two memories holds?', body = '', carried = 0,
       updated_at_ms = CASE WHEN status IN ('open', 'parked') THEN @at ELSE updated_at_ms END,
       status = CASE WHEN status IN ('open', 'parked') THEN 'resolved' ELSE status END
     WHERE id IN (SELECT thread_id FROM journal_questions WHERE record_id = @id)`,
  );
  const carry = createCarry(sql);
  const against = sql.pluck<[object], string>(
    `SELECT other.record_id FROM journal_questions AS own JOIN journal_questions AS other USING (thread_id)
     JOIN open_threads ON open_threads.id = thread_id
     WHERE own.record_id = @id AND other.record_id <> @id AND status IN ('open', 'parked')`,
  );
  return {
    *ask(threadID, recordIDs) {
      for (const [side, id] of recordIDs.entries()) yield* ask.run(id, threadID, side);
    },
    *isOne(threadID) {
      return (yield* isOne.get(threadID)) !== undefined;
    },
    end: (id, at) => end.run({ id, at: Math.round(at) }),
    carry,
    sides: (threadID) => sides.all(threadID),
    against: (id) => against.all({ id }),
  };
}

function createCarry(sql: Sql): QuestionWork['carry'] {
  if (sql.dialect.name === 'sqlite') {
    const replace = sql.prepare<[string, string], never>(
      'UPDATE OR REPLACE journal_questions SET record_id = ? WHERE record_id = ?',
    );
    return (from, to) => replace.run(to, from);
  }
  const drop = sql.prepare<[object], never>(
    `DELETE FROM journal_questions WHERE record_id = @from
       AND thread_id IN (SELECT thread_id FROM journal_questions WHERE record_id = @to)`,
  );
  const move = sql.prepare<[object], never>(
    'UPDATE journal_questions SET record_id = @to WHERE record_id = @from',
  );
  return function* (from, to) {
    yield* drop.run({ from, to });
    yield* move.run({ from, to });
  };
}
