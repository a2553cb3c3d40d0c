// What was due and is this gateway's to send: one row for each firing, in one transaction with the message or the answer that it became.
import { type Address, formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import type { NewId } from '#base/ids.ts';
import { createRareRows } from '#base/sqlite/rare-rows.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface TakenFiring {
  id: string;
  source: 'schedule' | 'hook';
  sourceID: string;
  person: string | undefined;
  address: Address;
}

/** Why a firing became no message: its person may not speak there any more, or has used what they may. */
interface FiringRefusal {
  status: 'refused' | 'skipped';
  reason: string;
}

/** One whose message has reached its end, or that became none. */
export interface EndedFiring extends TakenFiring {
  outcome: { status: 'sent' } | { status: 'refused' | 'skipped' | 'failed'; reason: string };
}

export interface TakenFirings {
  /** What the engine knows this gateway by: made once, the same after a restart. */
  gatewayName(newId: NewId): string;
  /** `became`: the row of the outbox or of the inbox, or why there is none. */
  insert(
    firing: TakenFiring,
    became: ({ outboxID: string } | { inboxID: string } | { refusal: FiringRefusal }) & { at: number },
  ): void;
  has(id: string): boolean;
  /** Those that are open although their message was sent, or never will be. */
  ended(): EndedFiring[];
  close(id: string): void;
}

interface Row {
  id: string;
  source: 'schedule' | 'hook';
  source_id: string;
  person: string | null;
  address: string;
  refusal: FiringRefusal['status'] | null;
  reason: string | null;
  outcome: string;
  error: string | null;
}

/** The tables `taken_firings` and `gateway_name`. */
export function createTakenFirings(database: Sqlite): TakenFirings {
  const name = database.prepare<[], string>('SELECT name FROM gateway_name WHERE rowid = 1').pluck();
  const putName = database.prepare('INSERT INTO gateway_name (rowid, name) VALUES (1, ?)');
  const insert = database.prepare(
    `INSERT INTO taken_firings (id, source, source_id, person, address, outbox_id, inbox_id, refusal, reason, state, taken_at_ms)
     VALUES (:id, :source, :sourceID, :person, :address, :outboxID, :inboxID, :refusal, :reason, 'open', :at)`,
  );
  const has = database.prepare<[string], { one: 1 }>('SELECT 1 AS one FROM taken_firings WHERE id = ?');
  // a message that was pruned, or taken back in the chat, was dealt with
  const ended = database.prepare<[], Row>(
    `SELECT f.id, f.source, f.source_id, f.person, f.address, f.refusal, f.reason, o.error,
       CASE WHEN i.state IN ('waiting', 'taken') OR o.state = 'open' THEN 'open'
            WHEN i.state IN ('cancelled', 'refused') THEN 'cancelled'
            ELSE coalesce(o.state, 'done') END AS outcome
     FROM taken_firings f
     LEFT JOIN inbox i ON i.id = f.inbox_id
     LEFT JOIN outbox o ON o.id = coalesce(f.outbox_id, (SELECT id FROM outbox WHERE turn_id = i.turn_id))
     WHERE f.state = 'open' ORDER BY f.id`,
  );
  const open = createRareRows(database, "taken_firings WHERE state = 'open'");
  const close = database.prepare("UPDATE taken_firings SET state = 'over' WHERE id = ?");
  return {
    gatewayName(newId) {
      const known = name.get();
      if (known !== undefined) return known;
      const made = newId('gtw');
      putName.run(made);
      return made;
    },
    insert({ id, source, sourceID, person, address }, became) {
      const row = {
        id,
        source,
        sourceID,
        person: person ?? null,
        address: formatAddress(address),
        at: became.at,
      };
      const none = { outboxID: null, inboxID: null, refusal: null, reason: null };
      open.written();
      insert.run({ ...row, ...none, ...('refusal' in became ? refusalRow(became.refusal) : became) });
    },
    has: (id) => has.get(id) !== undefined,
    ended: () =>
      (open.exist() ? ended.all() : [])
        .filter(({ outcome }) => outcome !== 'open')
        .map(({ id, source, source_id, person, address, ...how }) => ({
          ...{ id, source, sourceID: source_id, person: person ?? undefined },
          address: parseAddress(address),
          outcome: outcomeOf(how),
        })),
    close: (id) => void close.run(id),
  };
}

const refusalRow = ({ status, reason }: FiringRefusal) => ({ refusal: status, reason });

function outcomeOf({
  refusal,
  reason,
  outcome,
  error,
}: Pick<Row, 'refusal' | 'reason' | 'outcome' | 'error'>): EndedFiring['outcome'] {
  if (refusal !== null) return { status: refusal, reason: reason ?? '' };
  if (outcome === 'failed') return { status: 'failed', reason: error ?? 'It could not be sent.' };
  return outcome === 'cancelled'
    ? { status: 'skipped', reason: 'It was taken back in the chat.' }
    : { status: 'sent' };
}
