// Every accepted message, once, until it has its one visible outcome. Uniqueness is the database's, not the code's.
import type { Address, Platform } from '#adapters/gateway/terms/address.ts';
import { formatAddress, parseAddress } from '#adapters/gateway/terms/address.ts';
import type { MessageKey } from '#adapters/gateway/terms/inbound.ts';
import type { Sqlite } from '#base/sqlite/sqlite.ts';
import { createInboxContent, type InboxContent } from './inbox-content.ts';
import { createInboxCounts, type InboxCounts } from './inbox-counts.ts';
import { type InboxRow, type InboxState, inboxColumns, inboxRowOf, type RawInboxRow } from './inbox-row.ts';

export type NewInboxRow = Omit<InboxRow, 'address' | 'state' | 'turnID' | 'writtenAt' | 'deletedAt'>;

export interface Inbox extends InboxContent, InboxCounts {
  /** False when this message is there already. */
  insert(row: NewInboxRow): boolean;
  find(address: Address, nativeID: string): InboxRow | undefined;
  /** Waiting messages of a lane in the order in which they were written, as those of a turn. */
  waiting(lane: string): InboxRow[];
  /** The messages that a turn answers; not those that only answered what it asked. */
  ofTurn(turnID: string): InboxRow[];
  /** The newest answered messages of a person in a lane, with the turn that answered them. */
  lastTurn(lane: string, person: string): { turnID: string; rows: InboxRow[] } | undefined;
  take(ids: readonly string[], turnID: string): void;
  settle(ids: readonly string[], state: InboxState): void;
  /** All messages of a turn have their outcome. */
  settleTurn(turnID: string, state: InboxState): void;
  /** The newest message of an account in this very chat or thread. */
  lastIn(address: Address, person: string): InboxRow | undefined;
  /** Whether something was said to the bot in this very chat or thread. */
  hasChat(address: Address): boolean;
  /** The place of the newest direct message of an account. */
  lastDirect(person: string): Pick<InboxRow, 'person' | 'lane' | 'address' | 'receivedAt'> | undefined;
  /** Messages of a platform whose answer does not stand yet; firings of schedules are none. */
  unanswered(platform: Platform): MessageKey[];
  lanesWaiting(): string[];
  /** What the gateway itself carries out: commands, and answers to what runs ask. */
  commandsWaiting(): InboxRow[];
}

/** The table `inbox`. */
export function createInbox(database: Sqlite): Inbox {
  const many = (where: string) =>
    database.prepare<string[], RawInboxRow>(`SELECT ${inboxColumns} FROM inbox WHERE ${where}`);
  const insert = database.prepare(
    `INSERT INTO inbox (id, platform, account, chat, native_id, address, lane, person, kind, state, event, said_at_ms, received_at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?) ON CONFLICT (platform, account, chat, native_id) DO NOTHING`,
  );
  const byNative = many('platform = ? AND account = ? AND chat = ? AND native_id = ?');
  const byLane = many("lane = ? AND state = 'waiting' AND kind = 'message' ORDER BY said_at_ms, id");
  const byTurn = many("turn_id = ? AND kind = 'message' ORDER BY said_at_ms, id");
  const answered = many(
    "lane = ? AND person = ? AND kind = 'message' AND state = 'answered' AND turn_id IS NOT NULL ORDER BY received_at_ms DESC, id DESC LIMIT 1",
  );
  const lastHere = many(
    "address = ? AND person = ? AND native_id NOT LIKE 'due:%' ORDER BY received_at_ms DESC, id DESC LIMIT 1",
  );
  const commands = many("state = 'waiting' AND kind = 'command' ORDER BY id");
  const take = database.prepare("UPDATE inbox SET state = 'taken', turn_id = ? WHERE id = ?");
  const settle = database.prepare('UPDATE inbox SET state = ? WHERE id = ?');
  const settleTurn = database.prepare('UPDATE inbox SET state = ? WHERE turn_id = ?');
  const lanes = database.prepare<[], { lane: string }>(
    "SELECT DISTINCT lane FROM inbox WHERE state = 'waiting' AND kind = 'message'",
  );
  const unanswered = database.prepare<[string], { address: string; native_id: string }>(
    `SELECT i.address, i.native_id FROM inbox i LEFT JOIN outbox o ON o.turn_id = i.turn_id
     WHERE i.platform = ? AND i.native_id NOT LIKE 'due:%'
       AND (i.state IN ('waiting', 'taken') OR (i.state = 'answered' AND o.state = 'open'))`,
  );
  const hasChat = database
    .prepare<[string], 0 | 1>('SELECT EXISTS (SELECT 1 FROM inbox WHERE address = ?)')
    .pluck();
  const direct = many("person = ? AND address LIKE '%:dm:%' ORDER BY received_at_ms DESC, id DESC LIMIT 1");
  return {
    ...createInboxContent(database),
    ...createInboxCounts(database),
    insert(row) {
      const { platform, account, chat } = row.event.address;
      const address = formatAddress(row.event.address);
      const native = [platform, account, chat, row.event.nativeID];
      const rest = [
        address,
        row.lane,
        row.person,
        row.kind,
        JSON.stringify(row.event),
        row.event.at,
        row.receivedAt,
      ];
      return insert.run(row.id, ...native, ...rest).changes === 1;
    },
    find({ platform, account, chat }, nativeID) {
      const [raw] = byNative.all(platform, account, chat, nativeID);
      return raw === undefined ? undefined : inboxRowOf(raw);
    },
    waiting: (lane) => byLane.all(lane).map(inboxRowOf),
    ofTurn: (turnID) => byTurn.all(turnID).map(inboxRowOf),
    lastTurn(lane, person) {
      const [raw] = answered.all(lane, person);
      if (raw?.turn_id == null) return undefined;
      return { turnID: raw.turn_id, rows: byTurn.all(raw.turn_id).map(inboxRowOf) };
    },
    take(ids, turnID) {
      for (const id of ids) take.run(turnID, id);
    },
    settle(ids, state) {
      for (const id of ids) settle.run(state, id);
    },
    settleTurn(turnID, state) {
      settleTurn.run(state, turnID);
    },
    unanswered: (platform) =>
      unanswered
        .all(platform)
        .map((row) => ({ address: parseAddress(row.address), nativeID: row.native_id })),
    lastIn(address, person) {
      const raw = lastHere.get(formatAddress(address), person);
      return raw && inboxRowOf(raw);
    },
    hasChat: (address) => hasChat.get(formatAddress(address)) === 1,
    lastDirect(person) {
      const [raw] = direct.all(person);
      return raw && inboxRowOf(raw);
    },
    lanesWaiting: () => lanes.all().map((row) => row.lane),
    commandsWaiting: () => commands.all().map(inboxRowOf),
  };
}
