// How answers got to their chats, read from the inbox, the turns and the outbox. It changes nothing.
import type { Sqlite } from '#base/sqlite/sqlite.ts';

/** The way of the messages that one run answered. */
export interface WayOfRun {
  messages: { id: string; platform: string; state: string; saidAtMs: number; receivedAtMs: number }[];
  turn: { id: string; state: string; attempts: number; createdAtMs: number } | null;
  delivery: (DeliveryHead & { parts: DeliveredPart[] }) | null;
}

interface DeliveryHead {
  id: string;
  address: string;
  runID: string | null;
  state: string;
  error: string | null;
  createdAtMs: number;
}

interface DeliveredPart {
  ordinal: number;
  state: string;
  attempts: number;
  /** The platform's id; null while there is no receipt. */
  nativeID: string | null;
  receivedAtMs: number | null;
  /** True when it may be in the chat twice: the outcome of an attempt is not known. */
  possibleRepeat: boolean;
}

/** An answer that is not in its chat. */
export type Undelivered = DeliveryHead & { parts: number; sent: number };

export interface Deliveries {
  ofRun(runID: string): WayOfRun;
  /** Those that failed after `since`, and those that are open since before `openSince`; the newest first, at most 100. */
  undelivered(times: { since: number; openSince: number }): Undelivered[];
}

const head = 'id, address, run_id AS runID, state, error, created_at_ms AS createdAtMs' as const;

/** Reads how answers were delivered, from the tables of turns, outbox and parts. */
export function createDeliveries(database: Sqlite): Deliveries {
  const turn = database.prepare<[string], NonNullable<WayOfRun['turn']>>(
    `SELECT id, state, attempts, created_at_ms AS createdAtMs FROM turns WHERE run_id = ? ORDER BY id DESC LIMIT 1`,
  );
  const messages = database.prepare<[string], WayOfRun['messages'][number]>(
    `SELECT id, platform, state, said_at_ms AS saidAtMs, received_at_ms AS receivedAtMs
     FROM inbox WHERE turn_id = ? ORDER BY id`,
  );
  const delivery = database.prepare<[string], DeliveryHead>(`SELECT ${head} FROM outbox WHERE turn_id = ?`);
  const parts = database.prepare<
    [string],
    Omit<DeliveredPart, 'possibleRepeat'> & { possibleRepeat: number }
  >(
    `SELECT ordinal, state, attempts, native_id AS nativeID, received_at_ms AS receivedAtMs,
       possible_repeat AS possibleRepeat FROM outbox_parts WHERE outbox_id = ? ORDER BY ordinal`,
  );
  const undelivered = database.prepare<[{ since: number; openSince: number }], Undelivered>(
    `SELECT ${head}, (SELECT count(*) FROM outbox_parts WHERE outbox_id = outbox.id) AS parts,
       (SELECT count(*) FROM outbox_parts WHERE outbox_id = outbox.id AND state = 'sent') AS sent
     FROM outbox WHERE (state = 'failed' AND created_at_ms >= :since)
       OR (state IN ('open', 'handing over') AND created_at_ms < :openSince)
     ORDER BY id DESC LIMIT 100`,
  );
  return {
    ofRun(runID) {
      const found = turn.get(runID);
      if (found === undefined) return { messages: [], turn: null, delivery: null };
      const sent = delivery.get(found.id);
      return {
        messages: messages.all(found.id),
        turn: found,
        delivery:
          sent === undefined
            ? null
            : {
                ...sent,
                parts: parts
                  .all(sent.id)
                  .map((part) => ({ ...part, possibleRepeat: part.possibleRepeat === 1 })),
              },
      };
    },
    undelivered: (times) => undelivered.all(times),
  };
}
