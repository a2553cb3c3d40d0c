// What of the ledger may go once it is old: messages that were dealt with, what was sent, and their turns.
import { type PrunableRow, type PrunableTable, pruneRows } from '#base/sqlite/prune-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface LedgerRetention {
  /** Removes what came in, and what was sent, before these times; resolves with how many rows. */
  prune(
    before: { inbox: number; outbox: number },
    signal: AbortSignal,
  ): Promise<{ inbox: number; outbox: number }>;
  count(): { inbox: number; outbox: number };
}

/**
 * A message is needed while it waits, is answered or its answer is on its way; while something of it is to be changed or
 * forgotten; with the files that came with it, which are found by it; and as the newest of its person, who is reached there.
 */
const inboxNeeded = `inbox.state IN ('waiting', 'taken')
  OR EXISTS (SELECT 1 FROM turns WHERE turns.id = inbox.turn_id AND turns.state = 'running')
  OR EXISTS (SELECT 1 FROM outbox WHERE outbox.turn_id = inbox.turn_id AND outbox.state IN ('open', 'handing over'))
  OR EXISTS (SELECT 1 FROM posted_requests WHERE posted_requests.turn_id = inbox.turn_id AND posted_requests.state <> 'over')
  OR EXISTS (SELECT 1 FROM posted_requests WHERE posted_requests.answer_inbox_id = inbox.id)
  OR EXISTS (SELECT 1 FROM amendments WHERE amendments.inbox_id = inbox.id)
  OR EXISTS (SELECT 1 FROM corrections WHERE corrections.inbox_id = inbox.id AND corrections.turn_id IS NULL)
  OR EXISTS (SELECT 1 FROM saved_notes WHERE saved_notes.inbox_id = inbox.id AND saved_notes.is_deleted = 1)
  OR EXISTS (SELECT 1 FROM received_files WHERE received_files.inbox_id = inbox.id AND json_extract(outcome, '$.status') = 'stored')
  OR inbox.id = (SELECT newest.id FROM inbox AS newest WHERE newest.person = inbox.person
    ORDER BY newest.received_at_ms DESC, newest.id DESC LIMIT 1)`;
const outboxNeeded = `outbox.state IN ('open', 'handing over')
  OR EXISTS (SELECT 1 FROM turns WHERE turns.id = outbox.turn_id AND turns.state = 'running')
  OR EXISTS (SELECT 1 FROM posted_requests WHERE (posted_requests.outbox_id = outbox.id OR posted_requests.notice_id = outbox.id) AND posted_requests.state <> 'over')`;
/** A turn goes after its messages and its answer. */
const turnNeeded = `turns.state = 'running'
  OR EXISTS (SELECT 1 FROM inbox WHERE inbox.turn_id = turns.id) OR EXISTS (SELECT 1 FROM outbox WHERE outbox.turn_id = turns.id)
  OR EXISTS (SELECT 1 FROM posted_requests WHERE posted_requests.turn_id = turns.id)`;

/** Prunes and counts the ledger's old rows. */
export function createLedgerRetention(database: Sqlite, transact: <T>(work: () => T) => T): LedgerRetention {
  const table = (
    name: 'inbox' | 'outbox' | 'turns',
    { at, needed, removals }: { at: string; needed: string; removals: readonly string[] },
  ): PrunableTable => {
    const rows = database.prepare<[number, number], PrunableRow>(
      `SELECT rowid AS position, ${at} AS at, (${needed}) AS isNeeded FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    );
    const ids = `(SELECT id FROM ${name} WHERE rowid IN (SELECT value FROM json_each(:rows)))`;
    const statements = [...removals, `DELETE FROM ${name} WHERE id IN ${ids}`].map((sql) =>
      database.prepare<[{ rows: string }]>(sql.replaceAll(':ids', ids)),
    );
    return {
      after: (position, limit) => rows.all(position, limit),
      remove: (positions) =>
        transact(() => {
          for (const statement of statements) statement.run({ rows: JSON.stringify(positions) });
        }),
    };
  };
  const inbox = table('inbox', {
    at: 'received_at_ms',
    needed: inboxNeeded,
    removals: ['corrections', 'received_files', 'saved_notes'].map(
      (name) => `DELETE FROM ${name} WHERE inbox_id IN :ids`,
    ),
  });
  const outbox = table('outbox', {
    at: 'created_at_ms',
    needed: outboxNeeded,
    removals: [
      'DELETE FROM posted_requests WHERE outbox_id IN :ids',
      'UPDATE posted_requests SET notice_id = NULL WHERE notice_id IN :ids',
      'DELETE FROM outbox_parts WHERE outbox_id IN :ids',
    ],
  });
  const turns = table('turns', {
    at: 'created_at_ms',
    needed: turnNeeded,
    removals: ['previews', 'turn_usage', 'corrections'].map(
      (name) => `DELETE FROM ${name} WHERE turn_id IN :ids`,
    ),
  });
  // the rows are short and few: in one step
  const company = database.prepare<[number]>(
    'DELETE FROM company WHERE since_ms < ? AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.address = company.address)',
  );
  const firings = database.prepare<[number]>(
    "DELETE FROM taken_firings WHERE state = 'over' AND taken_at_ms < ?",
  );
  const count = database.prepare<[], { inbox: number; outbox: number }>(
    'SELECT (SELECT count(*) FROM inbox) AS inbox, (SELECT count(*) FROM outbox) AS outbox',
  );
  return {
    async prune(before, signal) {
      const sent = await pruneRows(outbox, before.outbox, signal);
      const came = await pruneRows(inbox, before.inbox, signal);
      await pruneRows(turns, Math.min(before.inbox, before.outbox), signal);
      transact(() => {
        company.run(before.inbox);
        firings.run(before.outbox);
      });
      return { inbox: came, outbox: sent };
    },
    count: () => count.get() ?? { inbox: 0, outbox: 0 },
  };
}
