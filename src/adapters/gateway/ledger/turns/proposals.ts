// Which messages propose what, with buttons below them, so that these are removed once it is decided, also over a kill.
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** A message of the outbox that proposes something. */
export interface Proposal {
  /** Of what is proposed. */
  id: string;
  outboxID: string;
}

export interface Proposals {
  insert(proposal: Proposal): void;
  /** The buttons below each message that proposes it are to be removed. */
  decide(id: string): void;
  /** What is decided and still shows its buttons. */
  decided(): Proposal[];
  /** The buttons below this message were removed. */
  remove(outboxID: string): void;
}

/** The table `proposals`. */
export function createProposals(database: Sqlite): Proposals {
  const insert = database.prepare('INSERT INTO proposals (outbox_id, id) VALUES (@outboxID, @id)');
  const decide = database.prepare<[string]>('UPDATE proposals SET is_decided = 1 WHERE id = ?');
  const decided = database.prepare<[], Proposal>(
    'SELECT id, outbox_id AS outboxID FROM proposals WHERE is_decided = 1 ORDER BY outbox_id',
  );
  const remove = database.prepare<[string]>('DELETE FROM proposals WHERE outbox_id = ?');
  const some = createRareRows(database, 'proposals WHERE is_decided = 1');
  return {
    insert: (proposal) => void insert.run(proposal),
    decide(id) {
      some.written();
      decide.run(id);
    },
    decided: () => (some.exist() ? decided.all() : []),
    remove: (outboxID) => void remove.run(outboxID),
  };
}
