// Which messages of a chat a lane's session holds already: what was put to it, and what it answered. Not their words.
import { type Address, formatAddress } from '#adapters/gateway/terms/address.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface Held {
  /**
   * The platform's ids of what was written to the bot in the address's chat and of what it answered there, since this time: what the lane has
   * of it, and what the bot answered in other lanes. What the bot posts besides is no answer.
   */
  since(
    lane: string,
    address: Address,
    at: number,
  ): { held: ReadonlySet<string>; answeredElsewhere: ReadonlySet<string> };
  /** When the first message was written that the lane has from this very thread or chat; undefined when there is none. */
  firstWritten(lane: string, address: Address): number | undefined;
}

/** Which messages of a chat a lane's conversation already contains, read from inbox and outbox. */
export function createHeld(database: Sqlite): Held {
  const room =
    'inbox.platform = @platform AND inbox.account = @account AND inbox.chat = @chat AND inbox.received_at_ms > @at';
  const shownIDs = database
    .prepare<[object], string>(
      // a retry has the id of its message with a mark behind it
      `SELECT coalesce(json_extract(event, '$.retryOf'), native_id) FROM inbox
       WHERE ${room} AND (kind = 'command' OR (lane = @lane AND state NOT IN ('refused', 'cancelled')))`,
    )
    .pluck();
  const posted = database.prepare<[object], { id: string; lane: string }>(
    `SELECT p.native_id AS id, inbox.lane FROM inbox CROSS JOIN outbox o ON o.turn_id = inbox.turn_id JOIN outbox_parts p ON p.outbox_id = o.id
   WHERE ${room} AND p.native_id IS NOT NULL`,
  );
  const first = database
    .prepare<[string, string], number | null>(
      `SELECT min(said_at_ms) FROM inbox WHERE address = ? AND lane = ? AND state IN ('taken', 'answered')`,
    )
    .pluck();
  return {
    since(lane, { platform, account, chat }, at) {
      const where = { lane, platform, account, chat, at };
      const answers = posted.all({ platform, account, chat, at });
      const idsOf = (own: boolean): string[] =>
        answers.filter((answer) => (answer.lane === lane) === own).map(({ id }) => id);
      return {
        held: new Set([...shownIDs.all(where), ...idsOf(true)]),
        answeredElsewhere: new Set(idsOf(false)),
      };
    },
    firstWritten: (lane, address) => first.get(formatAddress(address), lane) ?? undefined,
  };
}
