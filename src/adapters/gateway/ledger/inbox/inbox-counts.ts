// How many messages a person wrote, and a room received: for limits, the status and the backlog.

import { assistantEnd, assistantSql } from '#adapters/gateway/ledger/lane-name.ts';
import type { Address } from '#adapters/gateway/terms/address.ts';
import { formatAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import { idsSince } from '#base/ids.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';

export interface InboxCounts {
  /** True when a message of the same album and person was accepted in this chat. */
  hasAlbum(event: MessageEvent, person: string): boolean;
  /** True once anything in this very thread or chat was accepted. */
  knows(address: Address): boolean;
  /** How many messages of a person were accepted in this room (its threads included) since then. */
  fromPersonIn(address: Address, by: { person: string; since: number }): number;
  /** How many messages of these accounts were accepted since then, commands not counted. */
  fromPersons(persons: readonly string[], since: number): number;
  /** How many were accepted in this room since then, commands not counted. */
  countIn(address: Address, since: number): number;
  /** How many were accepted since then for this assistant, the usual one where undefined; commands not counted. */
  toAssistant(assistant: string | undefined, since: number): number;
  /** What waits to be answered, by the account of the bot. */
  backlog(platform: string): ReadonlyMap<string, number>;
}

/** Counts accepted messages in the table `inbox`, for limits and the status. */
export function createInboxCounts(database: Sqlite): InboxCounts {
  const album = database.prepare<string[], { one: 1 }>(
    `SELECT 1 AS one FROM (SELECT event, person FROM inbox WHERE address = ? ORDER BY rowid DESC LIMIT 50)
     WHERE person = ? AND json_extract(event, '$.album') = ? LIMIT 1`,
  );

  const known = database.prepare<[string], { one: 1 }>(
    'SELECT 1 AS one FROM inbox WHERE address = ? LIMIT 1',
  );

  const fromPersonIn = database.prepare<[string, number, string, string, string], { n: number }>(
    'SELECT count(*) AS n FROM inbox WHERE person = ? AND received_at_ms > ? AND platform = ? AND account = ? AND chat = ?',
  );

  const fromPersons = database.prepare<[string, number], { n: number }>(
    "SELECT count(*) AS n FROM inbox WHERE person IN (SELECT value FROM json_each(?)) AND received_at_ms > ? AND kind = 'message'",
  );

  const received = database.prepare<[string, string, string, number], { n: number }>(
    "SELECT count(*) AS n FROM inbox WHERE platform = ? AND account = ? AND chat = ? AND received_at_ms > ? AND kind = 'message'",
  );

  // ids follow the time: these are the messages of a day, not all that there are
  const toAssistant = database.prepare<[{ first: string; since: number; end: string }], { n: number }>(
    `SELECT count(*) AS n FROM inbox
     WHERE id > @first AND received_at_ms > @since AND kind = 'message' AND ${assistantSql('lane')} = @end`,
  );

  // by the indexes of what waits and of what is answered, in this order: the inbox itself holds every message
  const backlog = database.prepare<[{ platform: string }], { account: string; n: number }>(
    `SELECT account, count(*) AS n FROM (
       SELECT account FROM inbox WHERE state = 'waiting' AND +platform = @platform
       UNION ALL
       SELECT account FROM turns CROSS JOIN inbox ON inbox.turn_id = turns.id
       WHERE turns.state = 'running' AND inbox.state = 'taken' AND inbox.platform = @platform) GROUP BY account`,
  );

  return {
    hasAlbum: (event, person) =>
      event.album !== undefined && album.get(formatAddress(event.address), person, event.album) !== undefined,
    knows: (address) => known.get(formatAddress(address)) !== undefined,
    fromPersonIn: ({ platform, account, chat }, { person, since }) =>
      fromPersonIn.get(person, since, platform, account, chat)?.n ?? 0,
    fromPersons: (persons, since) => fromPersons.get(JSON.stringify(persons), since)?.n ?? 0,
    countIn: ({ platform, account, chat }, since) => received.get(platform, account, chat, since)?.n ?? 0,
    toAssistant: (assistant, since) =>
      toAssistant.get({ first: idsSince('inb', since), since, end: assistantEnd(assistant) })?.n ?? 0,
    backlog: (platform) => new Map(backlog.all({ platform }).map(({ account, n }) => [account, n])),
  };
}
