// How answers got to their chats, read from the inbox, the turns and the outbox. It changes nothing.
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import type { UndeliveredAnswer, WayOfRun } from '#engine/wire/channels/channel-service.ts';

type Delivery = NonNullable<WayOfRun['delivery']>;

export interface Deliveries {
  ofRun(runID: string): WayOfRun;
  /** Those that failed after `since`, and those that are open since before `openSince`, without dismissed ones; the newest first, at most 100. */
  undelivered(times: { since: number; openSince: number }): UndeliveredAnswer[];
}

const head = 'id, address, run_id AS runID, state, error, created_at_ms AS createdAtMs' as const;

/** Reads how answers were delivered, from the tables of turns, outbox and parts. */
export function createDeliveries(database: Sqlite): Deliveries {
  const turn = database.prepare<[string], NonNullable<WayOfRun['turn']>>(
    `SELECT id, state, attempts, created_at_ms AS createdAtMs,
       (SELECT min(posted_at_ms) FROM previews WHERE turn_id = turns.id) AS shownAtMs
     FROM turns WHERE run_id = ? ORDER BY id DESC LIMIT 1`,
  );
  const messages = database.prepare<[string], WayOfRun['messages'][number]>(
    `SELECT id, platform, state, said_at_ms AS writtenAtMs, received_at_ms AS receivedAtMs
     FROM inbox WHERE turn_id = ? ORDER BY id`,
  );
  const delivery = database.prepare<[string], Omit<Delivery, 'parts'>>(
    `SELECT ${head} FROM outbox WHERE turn_id = ?`,
  );
  const parts = database.prepare<
    [string],
    Omit<Delivery['parts'][number], 'possibleRepeat'> & { possibleRepeat: number }
  >(
    `SELECT ordinal, state, attempts, native_id AS nativeID, received_at_ms AS receivedAtMs,
       possible_repeat AS possibleRepeat FROM outbox_parts WHERE outbox_id = ? ORDER BY ordinal`,
  );
  const undelivered = database.prepare<[{ since: number; openSince: number }], UndeliveredAnswer>(
    `SELECT ${head}, (SELECT count(*) FROM outbox_parts WHERE outbox_id = outbox.id) AS parts,
       (SELECT count(*) FROM outbox_parts WHERE outbox_id = outbox.id AND state = 'sent') AS sent
     FROM outbox WHERE dismissed_at_ms IS NULL AND ((state = 'failed' AND created_at_ms >= :since)
       OR (state IN ('open', 'handing over') AND created_at_ms < :openSince))
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
